import {
  createPortal,
  type CustomerSubscription,
  ENGLISH,
  formatsOf,
  type PortalAction,
  type PortalState,
  shortened,
} from '@subrail/browser';

type Ready = Extract<PortalState, { readonly name: 'ready' }>;

const portal = createPortal({ url: '/api/billing' });
const formats = formatsOf(ENGLISH);
const show = () => document.querySelector('#app')?.replaceChildren(...viewOf(portal.state));
portal.subscribe(show);
show();

/** A page for each state. TypeScript finds the state that is missing. */
function viewOf(state: PortalState): readonly Node[] {
  switch (state.name) {
    case 'loading':
      return [text('p', 'One moment…')];
    case 'ready':
      return [
        ...(state.done === null ? [] : [text('p', state.done.sentence)]),
        ...problemViews(state),
        ...state.subscriptions.flatMap((one) => subscriptionViews(one, state)),
        ...(state.hasMore ? [button('Show older ones', state.more)] : []),
      ];
    case 'choosing_wallet':
      return [
        text('p', `Connect the wallet that pays for it, ${shortened(state.subscription.wallet)}.`),
        ...problemViews(state),
        ...state.wallets
          .filter(({ problem }) => problem === null)
          .map((wallet) => button(wallet.name, () => state.connect(wallet))),
        ...state.links.map(({ name, url }) => link(`Open in ${name}`, url)),
        button('Back', state.back),
      ];
    case 'acting':
      return [
        text('p', state.step === 'signing' ? 'Approve it in your wallet.' : 'One moment…'),
        ...(state.back === null ? [] : [button('Back', state.back)]),
      ];
    case 'failed':
      return problemViews(state);
    // A checkout in the portal begins by `subscribe`, and a portal of a wallet by the option `chain`.
    case 'checkout':
    case 'opening':
    case 'of_wallet':
      return [];
  }
}

const ACTIONS: Readonly<Record<PortalAction, string>> = {
  retry: 'Pay now',
  resume: 'Resume',
  close: 'Close, and get the deposit back',
  cancel: 'Cancel',
};

/** A subscription: what it costs, until when it is paid, what can be done, and what was paid. */
function subscriptionViews(one: CustomerSubscription, state: Ready): readonly Node[] {
  const { id, status, wallet, actions, current_period_end: end, next_charge_at: next } = one;
  const plan = state.session.plans.find(({ slug }) => slug === one.plan);
  const payments = state.payments[id]?.data;
  return [
    text('h2', plan === undefined ? id : `${plan.name}: ${formats.price(plan)} ${formats.period(plan)}`),
    text('p', `${status}, paid from ${shortened(wallet)}`),
    ...(end === null ? [] : [text('p', `Paid until ${formats.moment(end)}`)]),
    ...(next === null ? [] : [text('p', `Next payment on ${formats.moment(next)}`)]),
    ...Object.entries(ACTIONS).flatMap(([name, words]) => {
      const action = name as PortalAction;
      const act = state[action];
      return actions.includes(action) ? [button(words, () => act(id))] : [];
    }),
    // Your page of the checkout, which gives this `plan` to `createCheckout`.
    ...(actions.includes('subscribe') ? [link('Subscribe again', `/subscribe?plan=${one.plan}`)] : []),
    ...(payments === undefined ? [button('Payments', () => state.showPayments(id))] : []),
    ...(payments ?? []).map(({ attempted_at: at, outcome }) =>
      text('p', `${formats.moment(at)}: ${outcome}`),
    ),
  ];
}

/** A problem, in a sentence that says what to do, and the button that does it. */
function problemViews({ problem, act }: Extract<PortalState, { readonly act: unknown }>): readonly Node[] {
  if (problem === null) return [];
  const { sentence, next, missing } = problem;
  return [
    text('p', sentence),
    ...(missing === null ? [] : [text('p', `Missing: ${formats.units(missing.amount, missing)}`)]),
    ...(act === null ? [] : [button(ENGLISH.steps[next], act)]),
    ...(next === 'log_in' ? [link(ENGLISH.steps[next], '/login')] : []),
  ];
}

function text(tag: 'h2' | 'p', words: string) {
  return Object.assign(document.createElement(tag), { textContent: words });
}

function button(words: string, onclick: () => void) {
  return Object.assign(document.createElement('button'), { textContent: words, onclick });
}

function link(words: string, href: string) {
  return Object.assign(document.createElement('a'), { textContent: words, href });
}

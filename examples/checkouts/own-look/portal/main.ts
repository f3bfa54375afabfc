import { createPortal, type CustomerSubscription, ENGLISH, formatsOf, shortened } from '@subrail/browser';
import type { PortalState, Way } from '@subrail/browser';

type Ready = Extract<PortalState, { readonly name: 'ready' }>;

const portal = createPortal({ url: '/api/billing', login: '/login' });
const formats = formatsOf(ENGLISH);
const show = () => document.querySelector('#app')?.replaceChildren(...viewOf(portal.state));
portal.subscribe(show);
show();

/** A page for each state. TypeScript finds the state that is missing. */
function viewOf(state: PortalState): readonly Node[] {
  // The word of an outage, while the state waits for the service.
  const waitFor = (words: string) => [text('p', words), ...(state.delay ? [text('p', state.delay)] : [])];
  switch (state.name) {
    case 'loading':
      return waitFor('One moment…');
    case 'ready':
      return [
        ...(state.done === null ? [] : [text('p', state.done.sentence)]),
        ...problemViews(state),
        // A wallet may pay for another customer of yours, who logs in otherwise.
        ...(state.subscriptions.length === 0 ? [text('p', 'This account has no subscription.')] : []),
        ...state.subscriptions.flatMap((one) => subscriptionViews(one, state)),
        ...(state.hasMore ? [step('Show older ones', state.more)] : []),
      ];
    case 'choosing_wallet':
      return [
        text('p', `Connect the wallet that pays for it, ${shortened(state.subscription.wallet)}.`),
        ...problemViews(state),
        ...state.wallets.map((wallet) =>
          wallet.problem === null
            ? step(wallet.name, () => state.connect(wallet))
            : text('p', `${wallet.name}: ${wallet.problem.sentence}`),
        ),
        ...(state.wallets.length > 0 ? [] : state.links).map(({ name, url }) => step(`Open in ${name}`, url)),
        step('Back', state.back),
      ];
    case 'acting':
      return [
        ...waitFor(state.step === 'signing' ? 'Approve it in your wallet.' : 'One moment…'),
        ...(state.back === null ? [] : [step('Back', state.back)]),
      ];
    case 'failed':
      return problemViews(state);
    // A checkout begins by `subscribe`, a receipt by `showReceipt`, a wallet's portal by the option `chain`.
    case 'checkout':
    case 'receipt':
    case 'opening':
    case 'of_wallet':
      return [];
  }
}

const ACTIONS = { retry: 'Pay now', resume: 'Resume', close: 'Get the deposit back', cancel: 'Cancel' };

/** A subscription: what it costs, until when it is paid, what can be done, and what was paid. */
function subscriptionViews(one: CustomerSubscription, state: Ready): readonly Node[] {
  const { id, status, wallet, actions, late_reason: late } = one;
  const { current_period_end: end, next_charge_at: next } = one;
  const why = late === 'insufficient_balance' ? 'has too little' : 'no longer allows it';
  const plan = state.session.plans.find(({ slug }) => slug === one.plan);
  const payments = state.payments[id]?.data;
  return [
    text('h2', plan === undefined ? id : `${plan.name}: ${formats.price(plan)} ${formats.period(plan)}`),
    text('p', `${status}, paid from ${wallet}`),
    ...(late === null ? [] : [text('p', `The last payment failed: the wallet ${why}.`)]),
    ...(end === null ? [] : [text('p', `Paid until ${formats.moment(end)}`)]),
    ...(next === null ? [] : [text('p', `Next payment on ${formats.moment(next)}`)]),
    ...actions.flatMap((action) => {
      // Your page of the checkout, which gives this `plan` to `createCheckout`.
      const again = `/subscribe?plan=${encodeURIComponent(one.plan ?? '')}`;
      if (action === 'subscribe') return step('Subscribe again', again);
      if (action === 'change') {
        const others = state.session.plans.filter(({ slug }) => one.changes_to.includes(slug));
        return others.map(({ slug, name }) => step(`Change to ${name}`, () => state.change(id, slug)));
      }
      // A newer service may name an action that is not known here.
      const act = state[action];
      return action in ACTIONS ? step(ACTIONS[action], () => act(id)) : [];
    }),
    ...(payments === undefined ? [step('Payments', () => state.showPayments(id))] : []),
    ...(payments ?? []).map((one) => text('p', `${formats.moment(one.attempted_at)}: ${one.outcome}`)),
  ];
}

/** A problem, in a sentence that says what to do, with the money that is missing and the next step. */
function problemViews({ problem, act }: Extract<PortalState, { readonly act: unknown }>): readonly Node[] {
  if (problem === null) return [];
  const { sentence, missing, label } = problem;
  return [
    text('p', sentence),
    ...(missing === null ? [] : [text('p', `Missing: ${formats.units(missing.amount, missing)}`)]),
    ...(act === null ? [] : [step(label, act)]),
  ];
}

function text(tag: 'h2' | 'p', words: string) {
  return Object.assign(document.createElement(tag), { textContent: words });
}

/** A link to where a step leads, or the button that does it here. */
function step(words: string, way: Way) {
  return typeof way === 'string'
    ? Object.assign(document.createElement('a'), { textContent: words, href: way })
    : Object.assign(document.createElement('button'), { textContent: words, onclick: way });
}

import { type CheckoutState, createCheckout, ENGLISH, formatsOf } from '@subrail/browser';
import type { NextStep, OfferedPlan } from '@subrail/browser';

type StateOf<Name extends CheckoutState['name']> = Extract<CheckoutState, { readonly name: Name }>;

const checkout = createCheckout({ url: '/api/billing' });
const formats = formatsOf(ENGLISH);
const show = () => document.querySelector('#app')?.replaceChildren(...viewOf(checkout.state));
checkout.subscribe(show);
show();

/** A page for each state. TypeScript finds the state that is missing. */
function viewOf(state: CheckoutState): readonly Node[] {
  switch (state.name) {
    case 'loading':
      return [text('p', 'One moment…')];
    case 'choosing_wallet':
      return [
        ...planViews(state),
        ...problemViews(state),
        ...state.wallets.map((wallet) =>
          // Why a wallet cannot pay stands in place of its button.
          wallet.problem === null
            ? button(wallet.name, () => state.connect(wallet))
            : text('p', `${wallet.name}: ${wallet.problem.sentence}`),
        ),
        // Without a wallet in this browser, its app can open this very page.
        ...state.links.map(({ name, url }) => link(`Open in ${name}`, url)),
      ];
    case 'connecting':
      return [text('p', `Approve the connection in ${state.wallet.name}.`), button('Back', state.back)];
    case 'review':
      return [
        ...planViews(state),
        ...problemViews(state),
        text('p', `Paid from ${state.wallet.name}, ${state.wallet.address}`),
        ...state.accounts
          .filter((address) => address !== state.wallet.address)
          .map((address) => button(`Pay from ${address}`, () => state.chooseAccount(address))),
        button('Another wallet', state.chooseWallet),
        ...(state.payable ? termsViews(state) : []),
      ];
    case 'signing_terms':
    case 'signing_payment':
      return [
        text('p', state.step === 'refused' ? 'Not signed yet.' : `Look into ${state.wallet.name}, and sign.`),
        ...problemViews(state),
        button('Back', state.back),
      ];
    case 'submitting':
      return [text('p', 'Paying. You may leave this page: it goes on when you come back.')];
    case 'complete': {
      const { next_charge_at: next } = state.subscription;
      return [
        text('h1', 'Welcome!'),
        text('p', next === null ? 'Nothing more is charged.' : `Next payment on ${formats.day(next)}.`),
        ...(state.continueTo === null ? [] : [link('Go on', state.continueTo)]),
      ];
    }
    case 'failed':
      return [
        ...problemViews(state),
        ...(state.chooseWallet === null ? [] : [button('Another wallet', state.chooseWallet)]),
      ];
  }
}

/** The chosen plan with its price, and the others. */
function planViews({ plan, plans, choosePlan }: StateOf<'choosing_wallet' | 'review'>): readonly Node[] {
  const price = (one: OfferedPlan) => `${one.name}: ${formats.price(one)} ${formats.period(one)}`;
  const others = plans.filter(({ slug }) => slug !== plan.slug);
  return [
    text('h1', price(plan)),
    ...others.map((other) => button(price(other), () => choosePlan(other.slug))),
  ];
}

/** The terms that the wallet will sign, the costs, and the button that pays. */
function termsViews(state: Extract<StateOf<'review'>, { readonly payable: true }>): readonly Node[] {
  const { plan, costs, terms, changes } = state;
  const email = Object.assign(document.createElement('input'), { type: 'email', placeholder: 'Email' });
  const lines = (folded: boolean) =>
    terms.facts
      .filter((fact) => fact.folded === folded)
      .map(({ label, value }) => text('p', label === null ? value : `${label}: ${value}`));
  const details = document.createElement('details');
  details.append(text('summary', 'All details'), ...lines(true), text('pre', terms.message));
  return [
    ...changes.map(({ before, after }) => text('p', `${after ?? 'No more'}, before: ${before ?? 'nothing'}`)),
    ...lines(false),
    details,
    text('p', `Deposit, which comes back when you close: ${formats.sol(costs.rent.total)}`),
    text('p', `Network fee: ${formats.sol(costs.fee.total)}`),
    ...(state.asksEmail ? [email] : []),
    button(`Subscribe and pay ${formats.price(plan)}`, () => state.pay(email.value)),
  ];
}

/** A problem, in a sentence that says what to do, and the button or the link that does it. */
function problemViews({ problem, act, session }: Extract<CheckoutState, { readonly act: unknown }>) {
  if (problem === null) return [];
  const { sentence, next, missing } = problem;
  const back = session?.back_url ?? '/';
  const pages: Partial<Record<NextStep, string>> = {
    log_in: '/login',
    open_portal: '/account',
    go_back: back,
  };
  const page = pages[next];
  return [
    text('p', sentence),
    ...(missing === null ? [] : [text('p', `Missing: ${formats.units(missing.amount, missing)}`)]),
    ...(act === null ? [] : [button(ENGLISH.steps[next], act)]),
    ...(page === undefined ? [] : [link(ENGLISH.steps[next], page)]),
  ];
}

function text(tag: 'h1' | 'p' | 'pre' | 'summary', words: string) {
  return Object.assign(document.createElement(tag), { textContent: words });
}

function button(words: string, onclick: () => void) {
  return Object.assign(document.createElement('button'), { textContent: words, onclick });
}

function link(words: string, href: string) {
  return Object.assign(document.createElement('a'), { textContent: words, href });
}

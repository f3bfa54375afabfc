import { type CheckoutState, createCheckout, ENGLISH, formatsOf } from '@subrail/browser';
import type { PlanOption, Way } from '@subrail/browser';

type StateOf<Name extends CheckoutState['name']> = Extract<CheckoutState, { readonly name: Name }>;

const checkout = createCheckout({ url: '/api/billing', login: '/login', portal: '/account' });
const formats = formatsOf(ENGLISH);
const email = Object.assign(document.createElement('input'), { type: 'email', placeholder: 'Email' });
const show = () => document.querySelector('#app')?.replaceChildren(...viewOf(checkout.state));
checkout.subscribe(show);
show();

/** A page for each state. TypeScript finds the state that is missing. */
function viewOf(state: CheckoutState): readonly Node[] {
  // The word of an outage, while the state waits for the service.
  const waitFor = (words: string) => [text('p', words), ...(state.delay ? [text('p', state.delay)] : [])];
  switch (state.name) {
    case 'loading':
      return waitFor('One moment…');
    case 'choosing_wallet':
      return [
        ...planViews(state),
        ...problemViews(state),
        ...state.wallets.map((wallet) =>
          // Why a wallet cannot pay stands in place of its button.
          wallet.problem === null
            ? step(wallet.name, () => state.connect(wallet))
            : text('p', `${wallet.name}: ${wallet.problem.sentence}`),
        ),
        // Without a wallet in this browser, its app can open this very page.
        ...(state.wallets.length > 0 ? [] : state.links).map(({ name, url }) => step(`Open in ${name}`, url)),
      ];
    case 'connecting':
      return [text('p', `Approve the connection in ${state.wallet.name}.`), step('Back', state.back)];
    case 'review':
      return [
        ...planViews(state),
        ...problemViews(state),
        text('p', `Paid from ${state.wallet.name}, ${state.wallet.address}`),
        ...state.accounts
          .filter((address) => address !== state.wallet.address)
          .map((address) => step(`Pay from ${address}`, () => state.chooseAccount(address))),
        step('Another wallet', state.chooseWallet),
        ...(state.payable ? termsViews(state) : []),
      ];
    case 'signing_terms':
    case 'signing_payment':
      return [
        ...(state.step === 'preparing' ? waitFor('Preparing your payment…') : []),
        ...(state.step === 'waiting' ? [text('p', `Look into ${state.wallet.name}, and sign.`)] : []),
        ...problemViews(state),
        step('Back', state.back),
      ];
    case 'submitting':
      return waitFor('Paying. You may leave this page: it goes on when you come back.');
    case 'complete': {
      const { next_charge_at: next } = state.subscription;
      return [
        text('h1', 'Welcome!'),
        text('p', next === null ? 'Nothing more is charged.' : `Next payment on ${formats.day(next)}.`),
        step('Go on', state.continueTo ?? '/account'),
      ];
    }
    case 'failed':
      return [
        ...problemViews(state),
        ...(state.chooseWallet === null ? [] : [step('Another wallet', state.chooseWallet)]),
      ];
  }
}

/** The chosen plan with its price, and the others. */
function planViews({ plan, plans, choosePlan }: StateOf<'choosing_wallet' | 'review'>): readonly Node[] {
  const price = (one: PlanOption) =>
    `${one.name}: ${formats.price(one)} ${formats.period(one)}${one.isMine ? ', which you have' : ''}`;
  const others = plans.filter(({ slug }) => slug !== plan.slug);
  return [text('h1', price(plan)), ...others.map((one) => step(price(one), () => choosePlan(one.slug)))];
}

/** The terms that the wallet will sign, the costs, and the button that pays. */
function termsViews(state: Extract<StateOf<'review'>, { readonly payable: true }>): readonly Node[] {
  const { plan, costs, terms, changes } = state;
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
    text('p', `Today: ${formats.price(plan)}, and ${formats.sol(costs.fee.total)} for the network`),
    ...(state.asksEmail ? [email] : []),
    step(`Subscribe and pay ${formats.price(plan)}`, () => email.reportValidity() && state.pay(email.value)),
  ];
}

/** A problem, in a sentence that says what to do, with the money that is missing and the next step. */
function problemViews({ problem, act }: Extract<CheckoutState, { readonly act: unknown }>): readonly Node[] {
  if (problem === null) return [];
  const { sentence, missing, label } = problem;
  return [
    text('p', sentence),
    ...(missing === null ? [] : [text('p', `Missing: ${formats.units(missing.amount, missing)}`)]),
    ...(act === null ? [] : [step(label, act)]),
  ];
}

function text(tag: 'h1' | 'p' | 'pre' | 'summary', words: string) {
  return Object.assign(document.createElement(tag), { textContent: words });
}

/** A link to where a step leads, or the button that does it here. */
function step(words: string, way: Way) {
  return typeof way === 'string'
    ? Object.assign(document.createElement('a'), { textContent: words, href: way })
    : Object.assign(document.createElement('button'), { textContent: words, onclick: way });
}

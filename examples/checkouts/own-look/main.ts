import { type CheckoutState, createCheckout } from '@subrail/browser';

const checkout = createCheckout({ url: '/api/billing' });
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
        ...problemOf(state),
        ...state.wallets.map((wallet) => button(wallet.name, () => state.connect(wallet))),
        // Without a wallet in this browser, its app can open this very page.
        ...state.links.map(({ name, url }) => link(`Open in ${name}`, url)),
      ];
    case 'connecting':
      return [text('p', `Approve the connection in ${state.wallet.name}.`), button('Back', state.back)];
    case 'review':
      return [
        text('h1', `${state.plan.name}: ${state.plan.amount_display} ${state.plan.symbol ?? 'tokens'}`),
        ...problemOf(state),
        ...(state.payable
          ? [
              ...state.terms.facts
                .filter(({ folded }) => !folded)
                .map(({ label, value }) => text('p', label === null ? value : `${label}: ${value}`)),
              text('pre', state.terms.message),
              button('Subscribe and pay', () => state.pay()),
            ]
          : [button('Check again', state.act)]),
        button('Another wallet', state.chooseWallet),
      ];
    case 'signing_terms':
    case 'signing_payment':
      return [
        ...problemOf(state),
        state.step === 'refused'
          ? button('Try again', state.act)
          : text('p', `Your wallet ${state.wallet.name} asks you to sign.`),
        button('Back', state.back),
      ];
    case 'submitting':
      return [text('p', 'Paying. You may leave this page: it goes on when you come back.')];
    case 'complete':
      return [
        text('h1', 'Welcome!'),
        ...(state.continueTo === null ? [] : [link('Go on', state.continueTo)]),
      ];
    case 'failed':
      return [
        ...problemOf(state),
        ...(state.act === null ? [] : [button('Try again', state.act)]),
        ...(state.problem.next === 'open_portal' ? [link('Show my subscriptions', '/account')] : []),
        ...(state.problem.next === 'log_in' ? [link('Log in', '/login')] : []),
        ...(state.chooseWallet === null ? [] : [button('Another wallet', state.chooseWallet)]),
      ];
  }
}

/** What went wrong, in a sentence that says what to do. */
function problemOf({ problem }: { readonly problem: { readonly sentence: string } | null }) {
  return problem === null ? [] : [text('p', problem.sentence)];
}

function text(tag: 'h1' | 'p' | 'pre', words: string) {
  return Object.assign(document.createElement(tag), { textContent: words });
}

function button(words: string, onclick: () => void) {
  return Object.assign(document.createElement('button'), { textContent: words, onclick });
}

function link(words: string, href: string) {
  return Object.assign(document.createElement('a'), { textContent: words, href });
}

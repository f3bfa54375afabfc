import type { WalletAction, WalletSubscription } from '@subrail/core/schemas';
import { button, element } from './elements.js';
import {
  ACTIONS,
  amountText,
  dateText,
  nextSentence,
  paidSentence,
  priceText,
  shortened,
  STATUSES,
} from './sentences.js';
import type { ChainName } from './wallets.js';

/** Does an action, and shows progress with `say`. Resolves to the changed subscription, and a sentence. */
export type Act = (
  subscription: WalletSubscription,
  action: WalletAction,
  say: (sentence: string) => void,
) => Promise<{
  readonly subscription: WalletSubscription;
  readonly sentence: string;
  readonly isDone: boolean;
}>;

/** The card of one subscription. It shows the subscription anew after each action. */
export function cardOf(first: WalletSubscription, chain: ChainName, act: Act): HTMLElement {
  const titleId = `title-${first.id}`;
  const card = element('article', { class: 'card', attributes: { 'aria-labelledby': titleId } });
  const said = element('p', { class: 'said', attributes: { role: 'status', 'aria-live': 'polite' } });
  const body = element('div');
  card.append(body, said);

  function say(sentence: string, tone: 'busy' | 'good' | 'bad') {
    said.textContent = sentence;
    said.dataset['tone'] = tone;
  }

  function show(subscription: WalletSubscription) {
    const [status, tone] = STATUSES[subscription.status];
    const title = subscription.name ?? `Plan ${shortened(subscription.plan_address)}`;
    const actions = subscription.actions.map((action) =>
      button(ACTIONS[action].button, action === 'cancel' ? 'danger' : 'primary', () => {
        void run(subscription, action);
      }),
    );
    for (const made of actions) made.setAttribute('aria-describedby', titleId);
    body.replaceChildren(
      element('div', {
        class: 'head',
        children: [
          element('h3', {
            attributes: { id: titleId, tabindex: '-1' },
            children: [element('bdi', { text: title })],
          }),
          element('span', { class: `badge ${tone}`, text: status }),
        ],
      }),
      element('p', { class: 'price', text: priceText(subscription) }),
      element('p', { text: nextSentence(subscription) }),
      paymentsOf(subscription, chain),
      factsOf(subscription, chain),
      ...(actions.length === 0 ? [] : [element('div', { class: 'actions', children: actions })]),
    );
  }

  async function run(subscription: WalletSubscription, action: WalletAction) {
    const buttons = body.querySelectorAll('button');
    // Disabled elements lose the focus, so these only say that they are, and the card ignores them.
    if (card.getAttribute('aria-busy') === 'true') return;
    card.setAttribute('aria-busy', 'true');
    for (const one of buttons) one.setAttribute('aria-disabled', 'true');
    const result = await act(subscription, action, (sentence) => {
      say(sentence, 'busy');
    });
    card.removeAttribute('aria-busy');
    const focused = body.contains(document.activeElement);
    show(result.subscription);
    say(result.sentence, result.isDone ? 'good' : 'bad');
    if (focused) body.querySelector('h3')?.focus();
  }

  show(first);
  return card;
}

/** The sum of payments, with the newest. */
function paymentsOf(subscription: WalletSubscription, chain: ChainName): HTMLElement {
  const { latest } = subscription.payments;
  const sentence = paidSentence(subscription);
  if (latest.length === 0) return element('p', { text: sentence });
  const items = latest.map(({ signature, amount_display: amount, paid_at: paidAt }) =>
    element('li', {
      children: [
        element('time', { text: dateText(paidAt), attributes: { datetime: paidAt } }),
        document.createTextNode(`: ${amountText(amount, subscription)}, transaction `),
        onExplorer('tx', signature, chain),
      ],
    }),
  );
  return element('details', {
    children: [element('summary', { text: `Paid so far: ${sentence}` }), element('ul', { children: items })],
  });
}

/** The addresses of a subscription. */
function factsOf(subscription: WalletSubscription, chain: ChainName): HTMLElement {
  const facts = [
    ['Paid to', subscription.paid_to],
    ['Token', subscription.mint],
    ['Plan on Solana', subscription.plan_address],
    ['Subscription on Solana', subscription.address],
  ] as const;
  const list = element('dl', {
    children: facts.flatMap(([name, address]) => [
      element('dt', { text: name }),
      element('dd', { children: [onExplorer('address', address, chain)] }),
    ]),
  });
  if (subscription.began_at !== null)
    list.append(
      element('dt', { text: 'Since' }),
      element('dd', {
        children: [
          element('time', {
            text: dateText(subscription.began_at),
            attributes: { datetime: subscription.began_at },
          }),
        ],
      }),
    );
  return element('details', { children: [element('summary', { text: 'Details' }), list] });
}

/** An address or a signature, linked to an explorer where the chain is public. */
function onExplorer(kind: 'tx' | 'address', text: string, chain: ChainName): HTMLElement {
  if (chain === 'solana:localnet')
    return element('code', { text: shortened(text), attributes: { title: text } });
  const cluster = chain === 'solana:mainnet' ? '' : `?cluster=${chain.replace('solana:', '')}`;
  return element('a', {
    text: shortened(text),
    attributes: {
      href: `https://explorer.solana.com/${kind}/${text}${cluster}`,
      rel: 'noreferrer',
      title: text,
    },
  });
}

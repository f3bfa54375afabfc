import type { WalletAction, WalletSubscription } from '@subrail/core/schemas';
import type { WalletAccount } from '@wallet-standard/base';
import { apiOf, CallError } from './api.js';
import { cardOf, type Act } from './card.js';
import { button, byId, element } from './elements.js';
import { fromBase64, toBase58, toBase64 } from './encodings.js';
import { ACTIONS, shortened, UNSETTLED } from './sentences.js';
import { accountsOn, watchWallets, type ChainName, type KnownWallet } from './wallets.js';

const chain = (document.body.dataset['chain'] ?? 'solana:mainnet') as ChainName;
const network = { 'solana:mainnet': 'Solana mainnet', 'solana:devnet': 'Solana devnet' }[chain as string];

const wallets = byId('wallets');
const account = byId('account');
const list = byId('subscriptions');
const status = byId('status');

const NO_WALLET =
  'No Solana wallet was found in this browser. Install one, or open this page in the browser of your wallet app, and reload it. You can also cancel in another way, as said below.';

/** The connected wallet and which of its accounts is shown. */
interface Connection {
  readonly wallet: KnownWallet;
  readonly account: WalletAccount;
}

let connection: Connection | null = null;
let stopWatching: () => void = () => undefined;
/** Counts what was asked for, so that an answer that comes late shows nothing. */
let turn = 0;

function say(sentence: string, tone: 'plain' | 'bad' = 'plain') {
  status.textContent = sentence;
  status.dataset['tone'] = tone;
}

function showWallets(known: readonly KnownWallet[]) {
  wallets.replaceChildren(
    ...known.map((wallet) => {
      const made = button(`Connect ${wallet.name}`, 'plain', () => void connect(wallet));
      if (wallet.icon.startsWith('data:image/'))
        made.prepend(
          element('img', { attributes: { src: wallet.icon, alt: '', width: '24', height: '24' } }),
        );
      return made;
    }),
  );
  if (connection !== null) return;
  if (known.length === 0) say(NO_WALLET);
  else if (status.textContent === '' || status.textContent === NO_WALLET) say('Choose your wallet.');
}

async function connect(wallet: KnownWallet) {
  say(`Approve the connection in ${wallet.name}.`);
  const accounts = await wallet.connect().catch(() => null);
  if (accounts === null) {
    say(`${wallet.name} did not connect. Nothing was changed. Try again, or choose another wallet.`, 'bad');
    return;
  }
  stopWatching();
  stopWatching = wallet.onAccounts((changed) => {
    accountsChanged(wallet, changed);
  });
  if (!use(wallet, accounts)) return;
  byId('account-title').focus();
}

/** Shows the first account of a wallet that can be used here; false when it has none. */
function use(wallet: KnownWallet, accounts: readonly WalletAccount[]): boolean {
  const usable = accountsOn(accounts, chain);
  const [first] = usable;
  if (first === undefined) {
    forget();
    say(
      accounts.length === 0
        ? `${wallet.name} gave no account. Unlock it, and connect it again.`
        : `${wallet.name} has no account on ${network ?? 'this network'}. Switch its network, and connect it again.`,
      'bad',
    );
    return false;
  }
  showAccount({ wallet, account: first }, usable);
  return true;
}

/** A wallet that gives other accounts: the one that is shown stays while it is among them. */
function accountsChanged(wallet: KnownWallet, accounts: readonly WalletAccount[]) {
  const usable = accountsOn(accounts, chain);
  const same = usable.find(({ address }) => address === connection?.account.address);
  if (same === undefined) use(wallet, accounts);
  else showAccount({ wallet, account: same }, usable);
}

function forget() {
  connection = null;
  turn += 1;
  account.hidden = true;
  list.replaceChildren();
  for (const id of ['connect', 'lead']) byId(id).hidden = false;
}

function showAccount(next: Connection, usable: readonly WalletAccount[]) {
  const isSame = connection?.account.address === next.account.address;
  connection = next;
  for (const id of ['connect', 'lead']) byId(id).hidden = true;
  account.hidden = false;
  byId('account-address').textContent = shortened(next.account.address);
  byId('account-address').title = next.account.address;
  byId('account-wallet').textContent = next.wallet.name;
  byId('account-choice').replaceChildren(...choiceOf(next, usable));
  if (!isSame) void load(next, null);
}

/** A choice of accounts, where a wallet gives several. */
function choiceOf({ wallet, account: chosen }: Connection, usable: readonly WalletAccount[]): Node[] {
  if (usable.length < 2) return [];
  const select = element('select', {
    attributes: { id: 'accounts' },
    children: usable.map(({ address }) => {
      const option = element('option', { text: shortened(address), attributes: { value: address } });
      option.selected = address === chosen.address;
      return option;
    }),
  });
  select.addEventListener('change', () => {
    const other = usable.find(({ address }) => address === select.value);
    if (other !== undefined) showAccount({ wallet, account: other }, usable);
    byId('accounts').focus();
  });
  return [element('label', { text: 'Account', attributes: { for: 'accounts' } }), select];
}

/** Shows a page of subscriptions: the first, or the one after an id. */
async function load(of: Connection, after: string | null) {
  const asked = (turn += 1);
  if (after === null) list.replaceChildren();
  list.setAttribute('aria-busy', 'true');
  say('Looking for your subscriptions…');
  try {
    const page = await apiOf(of.account.address).list(after);
    if (asked !== turn) return;
    list.querySelector('.more')?.remove();
    const cards = page.data.map((one) => cardOf(one, chain, actOf(of)));
    list.append(...cards);
    const last = page.data.at(-1);
    if (page.has_more && last !== undefined) {
      const more = button('Show older ones', 'plain', () => void load(of, last.id));
      more.classList.add('more');
      list.append(more);
    }
    say(foundSentence(list.querySelectorAll('article').length, page.has_more));
    if (after !== null) cards[0]?.querySelector('h3')?.focus();
  } catch (error) {
    if (asked !== turn) return;
    say(sentenceOf(error), 'bad');
    list.querySelector('.more')?.remove();
    const again = button('Try again', 'plain', () => void load(of, after));
    again.classList.add('more');
    list.append(again);
  } finally {
    if (asked === turn) list.removeAttribute('aria-busy');
  }
}

function foundSentence(count: number, hasMore: boolean): string {
  if (count === 0) return 'This wallet has no subscription here. If you expected one, try another account.';
  if (hasMore) return `The newest ${count} subscriptions.`;
  return count === 1 ? 'One subscription.' : `${count} subscriptions.`;
}

/** The reasons by which a transaction that was sent can no longer take effect. */
const NEVER_LANDS: ReadonlySet<string> = new Set(['transaction_failed', 'transaction_expired']);

/** Does an action as a wallet's account: build, sign, send, and wait for the chain. */
function actOf({ wallet, account: signer }: Connection): Act {
  const api = apiOf(signer.address);
  return async (subscription, action, saying) => {
    const { id } = subscription;
    let transit: 'none' | 'being sent' | 'sent' = 'none';
    try {
      saying('Preparing the transaction…');
      const { transaction } = await api.build(id, action);
      saying(`Approve it in ${wallet.name}.`);
      const signed = await wallet.sign(signer, fromBase64(transaction), chain).catch(() => null);
      if (signed === null) return kept(subscription, action, `${wallet.name} did not sign.`);
      saying('Sending it to Solana…');
      transit = 'being sent';
      const signature =
        'signature' in signed
          ? toBase58(signed.signature)
          : (await api.submit(id, toBase64(signed.transaction))).signature;
      transit = 'sent';
      saying('Sent. Waiting until Solana confirms it. This takes a few seconds, rarely more than a minute.');
      const { subscription: now, reason_code: code } = await api.confirm(id, action, signature);
      if (code === null) return { subscription: now, sentence: ACTIONS[action].done, isDone: true };
      if (NEVER_LANDS.has(code)) return kept(now, action, 'Solana did not take the transaction.');
      return { subscription: now, sentence: UNSETTLED, isDone: false };
    } catch (error) {
      const isSettled =
        transit === 'none' || (transit === 'being sent' && error instanceof CallError && error.isRefusal);
      return { subscription, sentence: isSettled ? sentenceOf(error) : UNSETTLED, isDone: false };
    }
  };
}

function kept(subscription: WalletSubscription, action: WalletAction, why: string) {
  return { subscription, sentence: `${why} ${ACTIONS[action].kept} You can try again.`, isDone: false };
}

function sentenceOf(error: unknown): string {
  return error instanceof CallError
    ? error.message
    : 'Something went wrong on this page. Reload it and try again.';
}

byId('disconnect').addEventListener('click', () => {
  const { wallet } = connection ?? {};
  stopWatching();
  forget();
  say('Choose your wallet.');
  wallets.querySelector('button')?.focus();
  wallet?.disconnect().catch(() => undefined);
});

document.body.dataset['ready'] = 'yes';
watchWallets(showWallets);

// The wallet apps of an Android phone as one wallet of the Wallet Standard, by the Mobile Wallet Adapter
// protocol. Its maker's own wallet brings dialogs with inline styles, fonts of another origin and relays.

import {
  SolanaMobileWalletAdapterError,
  SolanaMobileWalletAdapterProtocolError,
  startScenario,
  type MobileWallet,
} from '@solana-mobile/mobile-wallet-adapter-protocol';
import {
  base58FromUint8Array,
  base64FromUint8Array,
  base64ToUint8Array,
} from '@solana-mobile/mobile-wallet-adapter-protocol/encoding';
import { SolanaSignMessage, SolanaSignTransaction } from '@solana/wallet-standard-features';
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  StandardDisconnect,
  StandardEvents,
  type StandardEventsListeners,
} from '@wallet-standard/features';
import { registerWallet } from '@wallet-standard/wallet';
import { ask, inItsLanguage } from './ask.js';

const CHAIN = (document.body.dataset['chain'] ?? 'solana:mainnet') as IdentifierString;
const ICON =
  `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="7" fill="#1f55c9"/><path d="M8 5h8v14H8zM11 16h2v1h-2z" fill="#fff"/></svg>')}` as const;
const KEPT = `subrail-wallet-app:${CHAIN}`;

/** The protocol's code for a person who declined, and for a token that is no longer good. */
const NOT_AUTHORIZED = -1;

/** An authorization by an app, as it is kept for a page that is loaded again. */
interface Authorization {
  readonly token: string;
  /** The addresses of its accounts, in base64. */
  readonly addresses: readonly string[];
  /** The address that opens the same app again; null for any app that the phone offers. */
  readonly place: string | null;
  /** Whether the app signs a transaction without sending it. */
  readonly signs: boolean;
}

const WORDS = {
  en: {
    title: 'Continue in your wallet',
    question: 'The next step is in the app of your wallet. It brings you back here.',
    yes: 'Open the app',
    no: 'Not now',
  },
  de: {
    title: 'Weiter in Ihrer Wallet',
    question: 'Der nächste Schritt ist in der App Ihrer Wallet. Sie bringt Sie hierher zurück.',
    yes: 'App öffnen',
    no: 'Nicht jetzt',
  },
};

let authorization: Authorization | null = null;
let accounts: readonly WalletAccount[] = [];
const listeners = new Set<StandardEventsListeners['change']>();

/** Keeps an authorization, or forgets the one that was there, and tells the page. */
function use(next: Authorization | null) {
  const before = accounts.map(({ address }) => address).join();
  authorization = next;
  accounts = (next?.addresses ?? []).map((address) => {
    const publicKey = new Uint8Array(base64ToUint8Array(address));
    const features = [SolanaSignTransaction, SolanaSignMessage] as const;
    return { address: base58FromUint8Array(publicKey), publicKey, chains: [CHAIN], features };
  });
  try {
    if (next === null) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, JSON.stringify(next));
  } catch {
    // Where a person blocks the data of pages, the app is asked again after a reload.
  }
  if (accounts.map(({ address }) => address).join() !== before)
    for (const listener of listeners) listener({ accounts });
}

/** Whether a person clicked since the page last opened an app: browsers open none by themselves. */
let hasClicked = false;
addEventListener('click', () => (hasClicked = true), true);

/** Lets the browser ask whether the page may reach apps, before one of them covers the question. */
async function reachApps() {
  const name = 'loopback-network' as PermissionName;
  // Browsers without such a permission allow it.
  const permission = await navigator.permissions.query({ name }).catch(() => null);
  if (permission?.state === 'prompt') {
    const socket = new WebSocket('ws://localhost:49152');
    await new Promise((resolve) => {
      socket.onopen = resolve;
      socket.onerror = resolve;
    });
    socket.close();
  }
  if (permission?.state === 'denied')
    throw new SolanaMobileWalletAdapterError(
      'ERROR_LOOPBACK_ACCESS_BLOCKED',
      'Allow this page in the settings of the browser to reach apps on the device.',
    );
}

/** Opens an app, has it do something, and lets it go. */
async function inApp<Answer>(
  place: string | null,
  work: (app: MobileWallet) => Promise<Answer>,
): Promise<Answer> {
  await reachApps();
  if (!hasClicked || !navigator.userActivation.isActive)
    await ask({ ...inItsLanguage(WORDS), details: null });
  hasClicked = false;
  const { wallet: app, close } = await startScenario(place === null ? {} : { baseUri: place });
  try {
    return await work(await app);
  } finally {
    close();
  }
}

/** Has the app allow this page; with a token without a question. */
async function authorize(app: MobileWallet, token: string | null) {
  const { features } = await app.getCapabilities();
  const given = await app.authorize({
    chain: CHAIN,
    identity: { name: document.title, uri: location.origin },
    ...(token === null ? {} : { auth_token: token }),
  });
  use({
    token: given.auth_token,
    addresses: given.accounts.map(({ address }) => address),
    place: given.wallet_uri_base || null,
    signs: features.includes('solana:signTransactions'),
  });
}

/** Opens the app for an account, which it gives again. A token that it does not take is asked for anew. */
async function withAccount<Answer>(
  { address }: WalletAccount,
  work: (app: MobileWallet) => Promise<Answer>,
): Promise<Answer> {
  return inApp(authorization?.place ?? null, async (app) => {
    await authorize(app, authorization?.token ?? null).catch(async (error: unknown) => {
      if (!(error instanceof SolanaMobileWalletAdapterProtocolError) || error.code !== NOT_AUTHORIZED)
        throw error;
      await authorize(app, null).catch((refusal: unknown) => {
        use(null);
        throw refusal;
      });
    });
    if (accounts.every((one) => one.address !== address))
      throw new Error('The app gave another account than the one that was connected.');
    return work(app);
  });
}

const base64Of = (inputs: readonly Uint8Array[]) => inputs.map((bytes) => base64FromUint8Array(bytes));
const bytesOf = (outputs: readonly string[]) =>
  outputs.map((output) => new Uint8Array(base64ToUint8Array(output)));

const signTransaction = {
  [SolanaSignTransaction]: {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy', 0],
    async signTransaction(...inputs: readonly { account: WalletAccount; transaction: Uint8Array }[]) {
      const [first] = inputs;
      if (first === undefined) return [];
      const payloads = base64Of(inputs.map(({ transaction }) => transaction));
      const { signed_payloads: signed } = await withAccount(first.account, (app) =>
        app.signTransactions({ payloads }),
      );
      return bytesOf(signed).map((signedTransaction) => ({ signedTransaction }));
    },
  },
};

const features: Wallet['features'] = {
  [StandardConnect]: {
    version: '1.0.0',
    async connect({ silent = false } = {}) {
      // A person who connects it again may want another app, or another account of it.
      if (!silent) await inApp(null, (app) => authorize(app, null));
      return { accounts };
    },
  },
  [StandardDisconnect]: { version: '1.0.0', disconnect: async () => use(null) },
  [StandardEvents]: {
    version: '1.0.0',
    on(_: string, listener: StandardEventsListeners['change']) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  },
  [SolanaSignMessage]: {
    version: '1.1.0',
    async signMessage(...inputs: readonly { account: WalletAccount; message: Uint8Array }[]) {
      const [first] = inputs;
      if (first === undefined) return [];
      const payloads = base64Of(inputs.map(({ message }) => message));
      const addresses = base64Of(inputs.map(({ account }) => new Uint8Array(account.publicKey)));
      const { signed_payloads: signed } = await withAccount(first.account, (app) =>
        app.signMessages({ addresses, payloads }),
      );
      // The text with the signature at its end, which the engine takes apart.
      return bytesOf(signed).map((bytes) => ({ signedMessage: bytes, signature: bytes.slice(-64) }));
    },
  },
};

try {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null') as Authorization | null;
  if (kept !== null) use(kept);
} catch {
  // Nothing is kept that can be read.
}

const wallet: Wallet = {
  version: '1.0.0',
  name: 'Wallet app',
  icon: ICON,
  chains: [CHAIN],
  get accounts() {
    return accounts;
  },
  get features() {
    return authorization?.signs === false ? features : { ...features, ...signTransaction };
  },
};
registerWallet(wallet);

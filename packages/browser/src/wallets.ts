import {
  SolanaSignAndSendTransaction,
  SolanaSignMessage,
  SolanaSignTransaction,
  type SolanaSignAndSendTransactionFeature,
  type SolanaSignMessageFeature,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  StandardDisconnect,
  StandardEvents,
  type StandardConnectFeature,
  type StandardDisconnectFeature,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { browserWallets, type WalletSource } from './browser-wallets.js';
import { paced } from './flows.js';
import type { LocalCode } from './sentences.js';

/** The name of a chain in the Wallet Standard, such as `solana:mainnet`. */
export type ChainName = `solana:${string}`;

/** A wallet has to sign a text and a transaction to pay, and a transaction alone to change a subscription. */
export type WalletUse = 'pay' | 'change';

/** The features that are used. Each may be missing. */
type Features = Partial<
  StandardConnectFeature &
    StandardDisconnectFeature &
    StandardEventsFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature
>;

/** The answer of a wallet: a transaction to send, or the signature of one that it sent. */
type Signed = { readonly transaction: Uint8Array } | { readonly signature: Uint8Array };

/** A wallet of the browser. */
export interface KnownWallet {
  readonly name: string;
  /** A data URL. */
  readonly icon: string;
  /** Why it cannot be used; null when it can. */
  readonly problem: LocalCode | null;
  /** Whether it sends what it signs, and cannot do otherwise. */
  readonly sends: boolean;
  /** Asks for accounts; silently only for those that it gave before. Rejects when it refuses. */
  connect(silent: boolean): Promise<readonly WalletAccount[]>;
  disconnect(): void;
  /** Calls `changed` with the accounts at each change, until the returned function is called. */
  onAccounts(changed: (accounts: readonly WalletAccount[]) => void): () => void;
  /** The accounts that can sign for a chain. */
  accountsOn(accounts: readonly WalletAccount[], chain: ChainName): readonly WalletAccount[];
  signMessage(
    account: WalletAccount,
    message: Uint8Array,
  ): Promise<{ readonly signature: Uint8Array; readonly signedMessage: Uint8Array }>;
  /** Asks the wallet to sign, and to send only when it cannot do otherwise. */
  sign(account: WalletAccount, transaction: Uint8Array, chain: ChainName): Promise<Signed>;
}

/** The lack that keeps a wallet from its use; null without one. A wallet without Solana is none here. */
function problemOf(features: Features, use: WalletUse): LocalCode | null {
  const sends = SolanaSignAndSendTransaction in features;
  if (!(StandardConnect in features)) return 'wallet_signs_nothing';
  if (use === 'change')
    return sends || SolanaSignTransaction in features ? null : 'wallet_signs_no_transactions';
  if (!(SolanaSignTransaction in features))
    return sends ? 'wallet_only_sends' : 'wallet_signs_no_transactions';
  return SolanaSignMessage in features ? null : 'wallet_signs_no_messages';
}

/** Whether a wallet is one of Solana. Throws for fields of other types than the standard's. */
function isSolana({ chains, features }: Wallet): boolean {
  return (
    typeof features === 'object' &&
    [...chains, ...Object.keys(features)].some((name) => name.startsWith('solana:'))
  );
}

/** The features that a wallet has now, which change with the app that a wallet of a phone opened. */
function featuresOf(wallet: Wallet): Features {
  try {
    return Object(wallet.features) as Features;
  } catch {
    return {};
  }
}

/**
 * Calls `changed` with the wallets of the browser, now and each time one comes or goes, until the returned
 * function is called. A wallet is the same object each time.
 */
export function watchWallets(
  source: WalletSource | undefined,
  use: WalletUse,
  changed: (wallets: readonly KnownWallet[]) => void,
): () => void {
  const wallets = source ?? browserWallets();
  const known = new Map<Wallet, KnownWallet>();
  const read = (wallet: Wallet): readonly KnownWallet[] => {
    try {
      const found = known.get(wallet) ?? (isSolana(wallet) ? knownWallet(wallet, use) : null);
      if (found === null) return [];
      // Read here as well, where features that cannot be read stop no other wallet.
      void found.problem;
      known.set(wallet, found);
      return [found];
    } catch {
      // Without the fields of the standard it is no wallet, and stops no other one.
      return [];
    }
  };
  const tell = () => changed(wallets.get().flatMap(read));
  const pace = paced(tell);
  const told = () => pace.tell(undefined);
  const stops = [wallets.on('register', told), wallets.on('unregister', told), pace.stop];
  tell();
  return () => {
    for (const stop of stops) stop();
  };
}

/** The most characters of a name that are shown. */
const LONGEST_NAME = 60;

function knownWallet(wallet: Wallet, use: WalletUse): KnownWallet {
  const features = () => featuresOf(wallet);
  // An extension may give anything.
  const [name, icon] = [wallet.name, wallet.icon].map(String) as [string, string];
  let isAsked = false;
  return {
    name: name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name,
    icon,
    get problem() {
      return problemOf(features(), use);
    },
    get sends() {
      return !(SolanaSignTransaction in features());
    },
    async connect(silent) {
      // A wallet that still waits for an app, which was closed without an answer, gives no account.
      if (isAsked) this.disconnect();
      isAsked = !silent;
      try {
        const connected = await features()[StandardConnect]?.connect(silent ? { silent } : undefined);
        return accountsOf(connected?.accounts);
      } finally {
        isAsked = false;
      }
    },
    disconnect() {
      const { [StandardDisconnect]: feature } = features();
      // A wallet that stays connected harms nobody, however it fails.
      (async () => feature?.disconnect())().catch(() => undefined);
    },
    onAccounts(changed) {
      const pace = paced(changed);
      const events = features()[StandardEvents];
      const stops = [pace.stop];
      // A wallet whose events fail is used without them.
      const quietly = (step: () => void) => {
        try {
          step();
        } catch {
          // Nothing of what is paid depends on them.
        }
      };
      quietly(() => {
        const off = events?.on('change', ({ accounts }) => {
          if (accounts !== undefined) pace.tell(accountsOf(accounts));
        });
        if (off !== undefined) stops.push(off);
      });
      return () => stops.forEach(quietly);
    },
    // A wallet that knows no such chain, as none knows a local one, signs with the account that it has.
    accountsOn: (accounts, chain) =>
      accounts.filter(({ chains }) =>
        wallet.chains.includes(chain)
          ? chains.includes(chain)
          : chains.some((name) => name.startsWith('solana:')),
      ),
    async signMessage(account, message) {
      const [output] = (await features()[SolanaSignMessage]?.signMessage({ account, message })) ?? [];
      const signature = given(output?.signature);
      return { signature, signedMessage: textOf(given(output?.signedMessage), signature, message) };
    },
    async sign(account, transaction, chain) {
      const input = { account, transaction };
      const named = account.chains.includes(chain) ? chain : account.chains[0];
      const signer = features()[SolanaSignTransaction];
      if (signer !== undefined) {
        const [output] = await signer.signTransaction(
          account.chains.includes(chain) ? { ...input, chain } : input,
        );
        return { transaction: given(output?.signedTransaction) };
      }
      const [output] =
        (await features()[SolanaSignAndSendTransaction]?.signAndSendTransaction({
          ...input,
          chain: named ?? chain,
        })) ?? [];
      return { signature: given(output?.signature) };
    },
  };
}

/** A signed text without the signature at its end that apps of phones give, or the message itself. */
function textOf(signed: Uint8Array, signature: Uint8Array, message: Uint8Array): Uint8Array {
  const end = signed.length - signature.length;
  if (String(signed.slice(end)) !== String(signature)) return signed;
  return end === 0 ? message : signed.slice(0, end);
}

/** The accounts that a wallet gives, without those that are not built as the standard says. */
function accountsOf(accounts: unknown): readonly WalletAccount[] {
  if (!Array.isArray(accounts)) return [];
  return (accounts as readonly (WalletAccount | null)[]).filter(
    (one): one is WalletAccount => typeof one?.address === 'string' && Array.isArray(one.chains),
  );
}

/** More than a signature, a text and a transaction have. */
const MOST_BYTES = 16_384;

/** The bytes that a wallet gives. Throws when there are none, or more than were asked for. */
function given(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined || !(bytes.length > 0 && bytes.length <= MOST_BYTES))
    throw new Error('The wallet returned nothing of use.');
  return Uint8Array.from(bytes);
}

/**
 * The codes of errors that say what happened. A person declined by EIP-1193, which wallets of Solana use too,
 * and in an app by the Mobile Wallet Adapter protocol: to connect, and to sign.
 */
const KNOWN: ReadonlyMap<string, LocalCode> = new Map([
  ['4001', 'wallet_refused'],
  ['-1', 'wallet_refused'],
  ['-3', 'wallet_refused'],
  ['ERROR_WALLET_NOT_FOUND', 'wallet_app_missing'],
]);

/** The parts of what a wallet throws, which is not always an Error. */
function partsOf(error: unknown) {
  const { code, message, cause } = (typeof error === 'object' && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  return { code, cause, message: typeof message === 'string' ? message : String(error) };
}

/** The words of a person who declined, which a wallet also has for what failed after it was sent. */
const DECLINED = /reject|deni|declin|refus|cancel|abort/i;

/**
 * The problem that a wallet's error is. Wallets of phones throw an error around that of the app. A wallet
 * that `sends` may have sent what it signed, whatever its words are, so its person declined by a code alone.
 */
export function codeOf(error: unknown, sends = false): LocalCode {
  const { code, cause, message } = partsOf(error);
  const known = KNOWN.get(String(code));
  if (known !== undefined) return known;
  if (!sends && DECLINED.test(message)) return 'wallet_refused';
  return cause === undefined ? 'wallet_failed' : codeOf(cause, sends);
}

/** The words of a wallet about what went wrong. */
export function wordsOf(error: unknown): string {
  return partsOf(error).message;
}

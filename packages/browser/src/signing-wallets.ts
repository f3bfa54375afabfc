/**
 * The wallets of the browser for a page that has a transaction of its own to sign, such as one about a plan,
 * which its owner signs. They are found and asked as the checkout does it.
 */

import type { WalletAccount } from '@wallet-standard/base';
import type { WalletSource } from './browser-wallets.js';
import { asked } from './connection.js';
import { fromBase64, toBase58, toBase64 } from './encodings.js';
import type { Chain } from './options.js';
import { type Problem, ProblemError, problemOf, problemOfError } from './problem.js';
import { ENGLISH, type Language } from './sentences.js';
import { type ChainName, type KnownWallet, watchWallets } from './wallets.js';

/** A transaction that a wallet signed. */
interface SignedTransaction {
  /** Base64; null when the wallet has sent it itself. */
  readonly transaction: string | null;
  /** The signature that names it, in base58. */
  readonly signature: string;
}

/** A wallet of the browser, which is the same object each time. */
export interface SigningWallet {
  readonly name: string;
  /** A picture, as a data URL. */
  readonly icon: string;
  /** Why it cannot sign here; null when it can. */
  readonly problem: Problem | null;
  /** Whether it sends what it signs, so that one that failed may have been sent all the same. */
  readonly sends: boolean;
  /** Asks for accounts, and returns the addresses of those on the chain. Rejects with a WalletRefusal. */
  connect(): Promise<readonly string[]>;
  /** Has a connected account sign a transaction, in base64. Rejects with a WalletRefusal. */
  sign(address: string, transaction: string): Promise<SignedTransaction>;
}

/** A request that a wallet did not do. Its message is a sentence for the person at the page. */
export class WalletRefusal extends Error {
  override readonly name = 'WalletRefusal';

  constructor(readonly problem: Problem) {
    super(problem.sentence);
  }
}

/** The options of `watchSigningWallets`. */
interface SigningOptions {
  readonly chain: Chain;
  /** The sentences; English when absent. */
  readonly language?: Language | undefined;
  /** Where wallets are found; those of the browser when absent. */
  readonly wallets?: WalletSource | undefined;
}

const SIGNATURE_BYTES = 64;

/**
 * Calls `changed` with the wallets of the browser, now and each time one comes or goes, until the returned
 * function is called.
 *
 * @example
 * import { watchSigningWallets } from '@subrail/browser/wallets';
 *
 * const stop = watchSigningWallets({ chain: 'solana:mainnet' }, async ([wallet]) => {
 *   const [address] = (await wallet?.connect()) ?? [];
 *   console.log(address);
 * });
 */
export function watchSigningWallets(
  { chain, language: sentences = ENGLISH, wallets }: SigningOptions,
  changed: (wallets: readonly SigningWallet[]) => void,
): () => void {
  // Nothing is paid, and no wallet knows a local chain.
  const language = { ...sentences, problems: { ...sentences.problems, ...sentences.changes } };
  const name: ChainName = chain === 'solana:localnet' ? 'solana:devnet' : chain;
  const known = new WeakMap<KnownWallet, SigningWallet>();
  return watchWallets(wallets, 'change', (found) => {
    changed(
      found.map((wallet) => {
        const one = known.get(wallet) ?? signingWallet(wallet, name, language);
        known.set(wallet, one);
        return one;
      }),
    );
  });
}

function signingWallet(wallet: KnownWallet, chain: ChainName, language: Language): SigningWallet {
  let usable: readonly WalletAccount[] = [];
  const refused = (error: unknown): never => {
    throw new WalletRefusal(problemOfError(language, error));
  };
  async function connect(): Promise<readonly string[]> {
    const accounts = await asked(wallet, wallet.connect(false), 'wallet_not_connected');
    usable = wallet.accountsOn(accounts, chain);
    if (usable.length > 0) return usable.map(({ address }) => address);
    const network = language.networks[chain === 'solana:mainnet' ? 'mainnet-beta' : 'devnet'];
    const code = accounts.length === 0 ? 'wallet_locked' : 'wallet_no_account';
    throw new ProblemError(code, { names: { wallet: wallet.name, network } });
  }
  async function sign(address: string, transaction: string): Promise<SignedTransaction> {
    const account = usable.find((one) => one.address === address);
    if (account === undefined) throw new ProblemError('wallet_locked', { names: { wallet: wallet.name } });
    const signed = await asked(wallet, wallet.sign(account, fromBase64(transaction), chain));
    if ('signature' in signed) return { transaction: null, signature: toBase58(signed.signature) };
    const { transaction: bytes } = signed;
    // The wallet pays the fee, so its signature is the first one, behind their number.
    return {
      transaction: toBase64(bytes),
      signature: toBase58(bytes.subarray(1, 1 + SIGNATURE_BYTES)),
    };
  }
  return {
    name: wallet.name,
    icon: wallet.icon,
    get problem() {
      const { problem } = wallet;
      return problem === null ? null : problemOf(language, problem, { names: { wallet: wallet.name } });
    },
    get sends() {
      return wallet.sends;
    },
    connect: () => connect().catch(refused),
    sign: (address, transaction) => sign(address, transaction).catch(refused),
  };
}

import type { CustomerSession } from '@subrail/core/schemas';
import type { WalletAccount } from '@wallet-standard/base';
import { LocalError, type Names, type Problem, problemOf } from './problem.js';
import type { Language } from './sentences.js';
import { type ChainName, codeOf, type KnownWallet, wordsOf } from './wallets.js';

/** A connected wallet, and the account that signs. */
export interface ConnectedWallet {
  readonly name: string;
  readonly icon: string;
  readonly address: string;
}

/** A connected wallet with its accounts on the network. */
export interface Connection {
  readonly wallet: KnownWallet;
  readonly account: WalletAccount;
  readonly usable: readonly WalletAccount[];
}

/** The chain of a network, as wallets call it. */
export function chainOf({ network }: CustomerSession): ChainName {
  return network === 'devnet' ? 'solana:devnet' : 'solana:mainnet';
}

/** Lists wallets for a page. The same wallet is the same option each time. */
export function optionsOf(language: Language) {
  const options = new WeakMap<KnownWallet, WalletOption>();
  return (wallets: readonly KnownWallet[]): readonly WalletOption[] =>
    wallets.map((wallet) => {
      const { name, icon, problem } = wallet;
      const known = options.get(wallet);
      if (known !== undefined && (known.problem?.code ?? null) === problem) return known;
      const option = { name, icon, problem: problem === null ? null : problemOf(language, problem) };
      options.set(wallet, option);
      return option;
    });
}

/** Connects a wallet. Rejects with a LocalError that says why there is no account. */
export async function connectTo(
  wallet: KnownWallet,
  session: CustomerSession,
  { networks }: Language,
  silent: boolean,
): Promise<Connection> {
  const accounts = await asked(wallet, wallet.connect(silent));
  const { name, problem } = wallet;
  if (problem !== null) {
    // The app that a wallet of a phone opened cannot do it. Another app may.
    wallet.disconnect();
    throw new LocalError(problem, { wallet: name });
  }
  return connectionOf(wallet, accounts, session, networks);
}

/** Takes the first account of a wallet that can sign on the network. */
export function connectionOf(
  wallet: KnownWallet,
  accounts: readonly WalletAccount[],
  session: CustomerSession,
  networks: Language['networks'],
): Connection {
  const usable = wallet.accountsOn(accounts, chainOf(session));
  return connectionAmong(wallet, accounts, usable, networks[session.network]);
}

/** Takes the first usable account of those that a wallet gave. */
export function connectionAmong(
  wallet: KnownWallet,
  accounts: readonly WalletAccount[],
  usable: readonly WalletAccount[],
  network: string,
): Connection {
  const [account] = usable;
  if (account !== undefined) return { wallet, account, usable };
  const names: Names = { wallet: wallet.name, network };
  throw new LocalError(accounts.length === 0 ? 'wallet_locked' : 'wallet_no_account', names);
}

/** Awaits what a wallet was asked. Rejects with a LocalError when it declined, or could not. */
export function asked<Answer>({ name }: KnownWallet, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw new LocalError(codeOf(error), { wallet: name }, wordsOf(error));
  });
}

/** What a page shows of a connection. */
export function shown({ wallet, account }: Connection): ConnectedWallet {
  return { name: wallet.name, icon: wallet.icon, address: account.address };
}

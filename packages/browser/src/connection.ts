import type { CustomerSession } from '@subrail/core/schemas';
import type { WalletAccount } from '@wallet-standard/base';
import { ProblemError } from './problem.js';
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

/** Awaits what a wallet was asked. Rejects with a ProblemError when it declined, or could not. */
export function asked<Answer>({ name, sends }: KnownWallet, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw new ProblemError(codeOf(error, sends), { names: { wallet: name }, detail: wordsOf(error) });
  });
}

/** What a page shows of a connection. */
export function shown({ wallet, account }: Connection): ConnectedWallet {
  return { name: wallet.name, icon: wallet.icon, address: account.address };
}

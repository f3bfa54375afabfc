import type { CustomerSession } from '@subrail/core/schemas';
import type { WalletAccount } from '@wallet-standard/base';
import { ProblemError } from './problem.js';
import type { LocalCode } from './sentences.js';
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

/**
 * Awaits the answer of a wallet. Rejects with a ProblemError when its person declined, and with that of
 * `failed` when it could not do it.
 */
export function asked<Answer>(
  { name, sends }: KnownWallet,
  answer: Promise<Answer>,
  failed: LocalCode = 'wallet_failed',
): Promise<Answer> {
  return answer.catch((error: unknown) => {
    // A wallet that connects has sent nothing.
    const code = codeOf(error, sends && failed === 'wallet_failed');
    throw new ProblemError(code === 'wallet_failed' ? failed : code, {
      names: { wallet: name },
      detail: wordsOf(error),
    });
  });
}

/** The facts of a connection that a page shows. */
export function shown({ wallet, account }: Connection): ConnectedWallet {
  return { name: wallet.name, icon: wallet.icon, address: account.address };
}

import type { Address } from '@solana/kit';
import type { AccountStore } from './account-store.js';
import { readMint, readTokenAccount } from './token-layout.js';

/** The balances of a transaction's accounts at one moment. */
export interface Balances {
  /** Lamports by account index. */
  readonly lamports: readonly bigint[];
  readonly tokens: readonly TokenBalance[];
}

/** The balance of one token account of a transaction. */
interface TokenBalance {
  /** Its place among the accounts of the transaction. */
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  /** In the mint's smallest unit. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** Reads the balances of these addresses; a token account whose mint cannot be read is left out. */
export function balancesOf(addresses: readonly Address[], store: AccountStore): Balances {
  const lamports: bigint[] = [];
  const tokens: TokenBalance[] = [];
  for (const [accountIndex, address] of addresses.entries()) {
    const account = store.find(address);
    lamports.push(account?.lamports ?? 0n);
    const token = account === undefined ? null : readTokenAccount(account);
    if (account === undefined || token === null) continue;
    const mint = store.find(token.mint);
    const decimals = mint === undefined ? null : (readMint(mint)?.decimals ?? null);
    if (decimals === null) continue;
    const { owner, amount } = token;
    tokens.push({ accountIndex, mint: token.mint, owner, tokenProgram: account.owner, amount, decimals });
  }
  return { lamports, tokens };
}

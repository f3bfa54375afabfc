import type { Address } from '@solana/kit';
import { INCINERATOR } from './addresses.js';
import type { AccountState } from './program.js';

/** The bytes that every account pays rent for in addition to its data. */
const ACCOUNT_OVERHEAD = 128n;

/** The lamports an account with this many bytes of data must hold (program#rent). */
export function minimumBalance(dataLength: number, lamportsPerByte: bigint): bigint {
  return (ACCOUNT_OVERHEAD + BigInt(dataLength)) * lamportsPerByte;
}

export function isRentExempt(
  account: Pick<AccountState, 'lamports' | 'data'>,
  lamportsPerByte: bigint,
): boolean {
  return account.lamports >= minimumBalance(account.data.length, lamportsPerByte);
}

/**
 * Whether a transaction left an account short of rent (program#rent-at-transaction-end). An account that was
 * short before may stay short if it kept its size and gained no lamports.
 */
export function rentViolation(
  address: Address,
  before: AccountState,
  after: AccountState,
  lamportsPerByte: bigint,
): boolean {
  if (after.lamports === 0n || isRentExempt(after, lamportsPerByte) || address === INCINERATOR) return false;
  const wasShort = before.lamports > 0n && !isRentExempt(before, lamportsPerByte);
  return !(wasShort && after.data.length === before.data.length && after.lamports <= before.lamports);
}

import type { BlockedReason, EndReason, LateReason } from '../contract/enums.js';
import type { ChainRefusal, ChainUnavailable } from '../ports/index.js';

/** Contract, Attempt reasons: `program_<code>` counts against the customer for these and is `blocked` for every other number. */
const CUSTOMERS_PROGRAM_CODES: readonly number[] = [1, 4, 103, 136, 508];

/** The reasons after which the authorisation is known to be gone for good: the subscription stops at once. */
const AUTHORITY_CLOSED: readonly string[] = ['authority_closed', 'program_103', 'program_136'];

/** Blocks that are the plan's own setup, for its owner to mend (blocks#causes-of-a-block). */
const PLAN_SETUP: readonly BlockedReason[] = [
  'puller_not_allowed',
  'receiver_not_allowed',
  'receiver_account_missing',
  'receiver_account_frozen',
  'receiver_account_needs_memo',
  'receiver_account_confidential_only',
  'mint_gone',
];

/** Blocks the token's issuer can lift (blocks#causes-of-a-block). */
const ISSUER: readonly BlockedReason[] = ['mint_paused', 'mint_transfer_hook'];

/** Reasons of a skipped attempt that end the subscription, and the end each one is. */
export type EndingReason = Exclude<EndReason, 'closed'>;

/** The attempt reason of a transaction the chain refused. */
export function refusalReason(refusal: ChainRefusal): string {
  return refusal.kind === 'program' ? `program_${refusal.code}` : `solana_${refusal.code}`;
}

/** The attempt reason of a chain that could not be asked. */
export function unavailableReason(unavailable: ChainUnavailable): string {
  return unavailable.kind === 'transport' ? 'transport' : `solana_${unavailable.code}`;
}

/** Whether a refusal counts against the customer. */
export function countsAgainstCustomer(refusal: ChainRefusal): boolean {
  return refusal.kind === 'program' && CUSTOMERS_PROGRAM_CODES.includes(refusal.code);
}

export function closesAuthority(reason: string): boolean {
  return AUTHORITY_CLOSED.includes(reason);
}

/** attempts#late-reason: why a payment is late, from the reason of its last failed charge. */
export function lateReason(reason: string): LateReason | null {
  if (reason === 'insufficient_balance') return 'insufficient_balance';
  if (reason === 'program_4') return 'approval_revoked';
  return closesAuthority(reason) ? 'authority_closed' : null;
}

/**
 * blocks#program-refusal-explained-by-a-read: the block a blocked attempt shows. Any cause that is neither the plan's setup nor the issuer's is the service's.
 * A code of the program names no cause by itself: what a read of the chain finds after it does.
 */
export function blockedReason(reason: string): BlockedReason {
  return [...PLAN_SETUP, ...ISSUER].find((known) => known === reason) ?? 'mesub';
}

export function isPlanSetup(reason: BlockedReason): boolean {
  return PLAN_SETUP.includes(reason);
}

import type { BlockedReason, EndReason, LateReason } from '../contract/enums.js';
import type { ChainRefusal, ChainUnavailable } from '../ports/index.js';

/**
 * The program's codes that count against the customer. Every other code is a block
 * (attempts#results-of-a-sent-transaction).
 */
const CUSTOMER_PROGRAM_CODES: readonly number[] = [1, 4, 103, 136, 508];

/**
 * The reasons that say the wallet's authority is gone for good: the subscription stops at once
 * (attempts#closed-authority-stops).
 */
const AUTHORITY_CLOSED: readonly string[] = ['authority_closed', 'program_103', 'program_136'];

/** Blocks caused by the plan's setup, which its owner can repair (blocks#causes-of-a-block). */
const PLAN_SETUP: readonly BlockedReason[] = [
  'puller_not_allowed',
  'receiver_not_allowed',
  'receiver_account_missing',
  'receiver_account_frozen',
  'receiver_account_needs_memo',
  'receiver_account_confidential_only',
  'mint_gone',
];

/** Blocks caused by the token's issuer, who alone can lift them (blocks#causes-of-a-block). */
const ISSUER: readonly BlockedReason[] = ['mint_paused', 'mint_transfer_hook'];

/** The reasons of a skipped attempt that end the subscription. Each is the `end_reason` too. */
export type EndingReason = Exclude<EndReason, 'closed' | 'plan_changed'>;

/** The attempt reason of a transaction that the chain refused. */
export function refusalReason(refusal: ChainRefusal): string {
  return refusal.kind === 'program' ? `program_${refusal.code}` : `solana_${refusal.code}`;
}

/** The attempt reason of a chain that was unavailable. */
export function unavailableReason(unavailable: ChainUnavailable): string {
  return unavailable.kind === 'transport' ? 'transport' : `solana_${unavailable.code}`;
}

/** Whether a refusal counts against the customer. */
export function countsAgainstCustomer(refusal: ChainRefusal): boolean {
  return refusal.kind === 'program' && CUSTOMER_PROGRAM_CODES.includes(refusal.code);
}

/** Whether an attempt reason says that the wallet's authority is gone for good. */
export function closesAuthority(reason: string): boolean {
  return AUTHORITY_CLOSED.includes(reason);
}

/** Why a payment is late, from the reason of its last failed charge (attempts#late-reason). */
export function lateReason(reason: string): LateReason | null {
  if (reason === 'insufficient_balance') return 'insufficient_balance';
  if (reason === 'program_4') return 'approval_revoked';
  return closesAuthority(reason) ? 'authority_closed' : null;
}

/**
 * The block that a subscription shows for the reason of a blocked attempt. Any reason that is neither the
 * plan's setup nor the issuer's is the service's (blocks#blocked-reason-from-an-attempt). The read after a
 * code of the program names the cause (blocks#program-refusal-explained-by-a-read).
 */
export function blockedReason(reason: string): BlockedReason {
  return [...PLAN_SETUP, ...ISSUER].find((block) => block === reason) ?? 'mesub';
}

/**
 * Whether a blocked attempt says nothing about the cause of a block: the service or the chain did not answer,
 * or a first read waits for a second (blocks#silence-inside-a-block).
 */
export function isSilence(reason: string): boolean {
  return (
    reason === 'transport' ||
    reason === 'send_unconfirmed' ||
    reason === 'landing_unknown' ||
    reason === 'gone_unconfirmed' ||
    reason.startsWith('solana_')
  );
}

/** Whether the plan's owner can repair the cause of a block. */
export function isPlanSetup(reason: BlockedReason): boolean {
  return PLAN_SETUP.includes(reason);
}

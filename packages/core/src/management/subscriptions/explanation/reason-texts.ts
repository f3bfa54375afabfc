import type { ATTEMPT_REASONS } from '../../../contract/attempt.js';
import type { BlockedReason, EndReason, LateReason, StopReason } from '../../../contract/enums.js';
import { lateReason } from '../../../rules/attempt-reasons.js';

export type Who = 'customer' | 'plan_owner' | 'token_issuer' | 'operator';

/** A fault, and who can mend it by which remedy. */
interface Cause {
  readonly what: string;
  readonly who: Who;
  readonly remedy: string;
  /** Set when charging never goes on, whatever is done. */
  readonly isFinal?: true;
}

export const BLOCKED: Readonly<Record<BlockedReason, Cause>> = {
  puller_not_allowed: {
    what: 'the plan on chain does not list the charger as a puller',
    who: 'plan_owner',
    remedy: 'Add the charger to the pullers of the plan.',
  },
  receiver_not_allowed: {
    what: 'the receiving account does not belong to a destination of the plan',
    who: 'plan_owner',
    remedy: 'Give the receiving account back to its wallet.',
  },
  receiver_account_missing: {
    what: 'the receiver has no account for the token',
    who: 'plan_owner',
    remedy: "Open the receiver's account for the token.",
  },
  receiver_account_frozen: {
    what: "the receiver's account is frozen",
    who: 'plan_owner',
    remedy: "Have the token's issuer thaw the receiver's account.",
  },
  receiver_account_needs_memo: {
    what: "the receiver's account requires a memo with every transfer",
    who: 'plan_owner',
    remedy: "Turn off the requirement of memos on the receiver's account.",
  },
  receiver_account_confidential_only: {
    what: "the receiver's account takes confidential transfers only",
    who: 'plan_owner',
    remedy: "Allow transfers that are not confidential on the receiver's account.",
  },
  mint_gone: {
    what: 'the token does not exist any more',
    who: 'plan_owner',
    remedy: 'Publish a plan in another token: this one cannot be charged again.',
    isFinal: true,
  },
  mint_paused: {
    what: "the token's issuer paused all transfers",
    who: 'token_issuer',
    remedy: 'Lift the pause of the token.',
  },
  mint_transfer_hook: {
    what: "the token's issuer put a hook on transfers, which the program does not call",
    who: 'token_issuer',
    remedy: 'Take the hook off the token.',
  },
  mesub: {
    what: 'the service could not make the charge',
    who: 'operator',
    remedy: 'Look at the alerts of the service: its health names what is wrong and what to do.',
  },
};

export const LATE: Readonly<Record<LateReason, string>> = {
  insufficient_balance: 'the wallet held less than is due',
  approval_revoked: 'the wallet took back the approval with which it is charged, or it is used up',
  authority_closed: 'the wallet closed the authority with which it is charged',
};

export const STOPPED: Readonly<Record<StopReason, string>> = {
  out_of_retries: 'every retry of a late payment failed',
  retry_deadline_passed: 'the late payment was not paid before its deadline',
  authority_closed: 'the wallet closed the authority with which it is charged',
};

const ENDED: Readonly<Record<EndReason, string>> = {
  cancelled: 'the customer cancelled it',
  plan_removed: 'the plan was deleted on chain',
  plan_replaced: 'the plan was deleted on chain and made anew with other terms',
  plan_ended: 'the plan reached its end',
  closed_elsewhere: 'the wallet closed its account on chain without the service',
  closed: 'the wallet closed its account on chain',
  plan_changed: 'the customer changed to another plan',
};

/** Says that a subscription ended, and why; null for a reason that only the chain knows yet. */
export const endSentence = (reason: EndReason | null): string =>
  `It ended, because ${reason === null ? 'it is over on chain' : ENDED[reason]}.`;

/** The service's own reasons that are no block, late payment, stop or end. */
type OwnReason = Exclude<
  (typeof ATTEMPT_REASONS)[number],
  BlockedReason | LateReason | StopReason | EndReason | `program_${string}` | `solana_${string}`
>;

/** Sentences of further reasons of attempts. */
const OF_ATTEMPTS: Readonly<Record<OwnReason, string>> = {
  token_account_frozen: "the wallet's account for the token is frozen",
  token_account_reassigned: "the wallet's account for the token belongs to another wallet now",
  period_already_paid: 'the chain shows the period as paid',
  period_missed: 'no charge was made in the period',
  terms_missing: 'no terms were signed through the service',
  puller_missing: "the service's record of the plan lacks when it was made on chain",
  gone_unconfirmed: 'the plan or the subscription read as gone, and a second read has to confirm that',
  send_unconfirmed: 'whether a transaction that was sent landed is not known yet',
  landing_unknown: 'the chain does not say whether the transaction landed',
  transport: 'no server of the chain answered in full and in time, or what was sent never landed',
};

/** Sentences for the errors with which the Subscriptions program refuses a charge. */
const OF_PROGRAM: Readonly<Record<`program_${number}`, string>> = {
  program_1: 'the wallet held less than is due, or its approval covers less',
  program_130: 'the program did not let the charger pull',
  program_400: 'the period was charged in full already',
  program_501: ENDED.plan_ended,
  program_506: BLOCKED.receiver_not_allowed.what,
  program_508: 'the subscription is cancelled on chain, and its expiry has passed',
  program_516: ENDED.plan_removed,
  program_519: ENDED.plan_replaced,
};

const KNOWN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(BLOCKED).map(([reason, { what }]) => [reason, what] as const),
  ...Object.entries({ ...STOPPED, ...ENDED, ...OF_ATTEMPTS, ...OF_PROGRAM }),
]);

/** Sentences for other refusals, by the beginning of their reasons. */
const REFUSALS = [
  ['solana_', 'the chain refused the transaction, or a server of it the call'],
  ['program_', 'the Subscriptions program refused the charge'],
] as const;

/** The reason of an attempt in words, and the reason itself, for the page about errors of charges. */
export function reasonText(reason: string): string {
  const late = lateReason(reason);
  const text = late === null ? KNOWN.get(reason) : LATE[late];
  const words = text ?? REFUSALS.find(([prefix]) => reason.startsWith(prefix))?.[1];
  return words === undefined ? reason : `${words} (${reason})`;
}

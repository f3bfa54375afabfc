import type {
  Attempt,
  Refund,
  Subscription,
  SubscriptionEvent,
  SubscriptionForAccess,
  Transfer,
} from '../../../records/index.js';
import { displayAmount } from '../../../rules/money.js';
import type { At } from '../../../rules/at.js';

export interface ExplanationFacts {
  readonly subscription: Subscription;
  readonly at: At;
  /** Whether its checkout was a change from another plan, and no comeback. */
  readonly isChange: boolean;
  /** The unit of the plan's amounts; null for the word "tokens". */
  readonly unit: string | null;
  /** The key that charges. */
  readonly charger: string;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
  readonly hasEarlierAttempts: boolean;
  /** The refunds of these attempts that an operator recorded. */
  readonly refunds: readonly Refund[];
  /** The ids of those of them with a refund that cannot be read. */
  readonly withUnreadableRefund: readonly string[];
  /** Newest first. */
  readonly events: readonly SubscriptionEvent[];
  /** The subscriptions that are charged beside it: its customer's to the same plan, with other wallets. */
  readonly chargedBeside: readonly SubscriptionForAccess[];
  /** The transaction whose outcome is not known yet; null when there is none. */
  readonly openTransfer: Transfer | null;
}

/** A date as a sentence has it: to the minute, in UTC. */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'an unknown date';
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** An amount of the plan's token in words, such as `9.99 USDC`. */
export function priceText(amount: bigint, { at: { plan }, unit }: ExplanationFacts): string {
  return `${displayAmount(amount, plan.decimals)} ${unit ?? 'tokens'}`;
}

import type {
  Attempt,
  Subscription,
  SubscriptionEvent,
  SubscriptionForAccess,
  Transfer,
} from '../../../records/index.js';
import { displayAmount } from '../../../rules/money.js';
import type { At } from '../../../rules/at.js';

/** What an explanation of a subscription is made from. */
export interface ExplanationFacts {
  readonly subscription: Subscription;
  readonly at: At;
  /** What amounts of the plan are counted in; null for the word "tokens". */
  readonly unit: string | null;
  /** The key that charges. */
  readonly charger: string;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
  /** Whether there are earlier attempts than these. */
  readonly hasEarlierAttempts: boolean;
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

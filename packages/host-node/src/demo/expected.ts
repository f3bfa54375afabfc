/** What the story has to come to. Kept apart from the telling, so that a test can expect otherwise and see it fail. */
export interface Expected {
  /** Every event, by sequence from 1, without its `subscription.` prefix. */
  readonly events: readonly string[];
  /** Every attempt, oldest first. */
  readonly attempts: readonly string[];
  /** What the receiving wallet ends up with, in the smallest unit. */
  readonly received: bigint;
}

export const PRICE = 5_000_000n;

export const EXPECTED: Expected = {
  events: [
    'created',
    'access_granted',
    'renewed',
    'payment_failed',
    'renewed',
    'payment_failed',
    'payment_failed',
    'payment_failed',
    'payment_failed',
    'stopped',
    'access_revoked',
  ],
  attempts: [
    'paid',
    'paid',
    'rejected insufficient_balance',
    'paid, retry 1 of 3',
    'rejected insufficient_balance',
    'rejected insufficient_balance, retry 1 of 3',
    'rejected insufficient_balance, retry 2 of 3',
    'rejected insufficient_balance, retry 3 of 3',
  ],
  received: 3n * PRICE,
};

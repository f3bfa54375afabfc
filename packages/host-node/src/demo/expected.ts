/**
 * The end of the demo. A parameter of `demo`, so that a test can show the report of a wrong result.
 */
export interface ExpectedResult {
  readonly subscriptions: readonly ExpectedSubscription[];
  /** The final balance of the plan's owner, in the smallest unit. */
  readonly received: bigint;
}

interface ExpectedSubscription {
  /** Every event in order of sequence, without its `subscription.` prefix. */
  readonly events: readonly string[];
  /** Every attempt, oldest first. */
  readonly attempts: readonly string[];
}

const PRICE = 5_000_000n;

/** The result of `runScenario` when everything works. */
export const EXPECTED: ExpectedResult = {
  subscriptions: [
    {
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
        'cancelled',
        'ended',
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
    },
    {
      events: ['created', 'access_granted', 'cancelled', 'resumed', 'cancelled', 'access_revoked', 'ended'],
      attempts: ['paid'],
    },
  ],
  received: 4n * PRICE,
};

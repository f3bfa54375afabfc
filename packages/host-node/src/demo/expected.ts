/**
 * What the demo must end with. `demo` takes it as a parameter, so that a test can show how a wrong result is reported.
 */
export interface ExpectedResult {
  /** Every event in order of sequence, without its `subscription.` prefix. */
  readonly events: readonly string[];
  /** Every attempt, oldest first. */
  readonly attempts: readonly string[];
  /** The final balance of the plan's owner, in the smallest unit. */
  readonly received: bigint;
}

const PRICE = 5_000_000n;

/** The result of `runScenario` when everything works. */
export const EXPECTED: ExpectedResult = {
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

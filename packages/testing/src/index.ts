/**
 * Subrail for the tests of an app. `createTestBilling` is the real service over a local chain, with time that the test
 * moves. `createRecordedBilling` has records only: subscriptions in the states that a test names, without a chain.
 *
 * Other entry points: `/browser`, with wallets for pages, and `/service`, for tests that bring their own store or inject faults of
 * their own.
 */
export {
  createTestBilling,
  type Payer,
  type TestBilling,
  type TestBillingOptions,
  type TestCheckout,
  type TestPlan,
} from './test-billing.js';
export type { Duration } from './duration.js';
export type { TestWallet } from './test-wallet.js';
export type { TestWebhook, WebhookFailure, WebhookReceiver } from './webhook-recorder.js';
export {
  createRecordedBilling,
  type RecordedBilling,
  type RecordedBillingOptions,
  type RecordedCustomer,
  type RecordedPlan,
} from './recorded/recorded-billing.js';
export type { RecordedState } from './recorded/recorded-states.js';

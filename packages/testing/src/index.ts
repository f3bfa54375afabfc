/**
 * Subrail for the tests of an app. `createTestBilling` is the real service over a local chain, with time that
 * the test moves. `createRecordedBilling` has records only: subscriptions in the states that a test names,
 * without a chain. `installWallets` puts wallets into a browser's pages.
 */
export { createTestBilling, type TestBilling } from './test-billing.js';
export type { TestWallet } from './test-wallet.js';
export type { TestWebhook } from './webhook-recorder.js';
export { createRecordedBilling, type RecordedBilling } from './recorded/recorded-billing.js';

// Wallets in a browser
export {
  installWallets,
  refuseRequests,
  registerWallet,
  switchAccounts,
  unlockWallet,
  type BrowserWallet,
  type WalletAccount,
  type WalletContext,
} from './browser/install-wallets.js';
export { walletFromFile } from './browser/wallet-from-file.js';

// The parts of `createTestBilling`, for tests with a store of their own, or faults injected into the ports
export { createBillingWithDefaults, type BillingWithDefaults } from './service/billing-with-defaults.js';
export { withOutages } from './service/chain-outages.js';
export { openLocalService, type LocalService, type LocalServiceOptions } from './service/local-service.js';
export { publishPlan } from './service/publish-plan.js';
export { createTestClock, type TestClock } from './service/test-clock.js';
export { createTestLog, type TestLog } from './service/test-log.js';

/**
 * The service over a local chain, without a project, plans or wallets: what `createTestBilling` stands on, for tests that
 * bring their own store or wrap the ports to inject faults.
 */
export {
  createBillingWithDefaults,
  type BillingWithDefaults,
  type ChosenPorts,
} from './billing-with-defaults.js';
export { withOutages } from './chain-outages.js';
export { openLocalService, type LocalService, type LocalServiceOptions } from './local-service.js';
export { publishPlan } from './publish-plan.js';
export { createTestClock, type TestClock, type TestClockOptions } from './test-clock.js';
export { createTestLog, type TestLog } from './test-log.js';

export {
  createBillingWithDefaults,
  createTestClock,
  createTestLog,
  openLocalService,
  publishPlan,
  withOutages,
  type LocalServiceOptions,
  type TestClock,
  type TestLog,
} from '@subrail/testing';

export * from './actions.js';
export * from './around-store.js';
export { settled, callsAnswered, withCallsCounted } from './calls-under-way.js';
export * from './checkouts.js';
export { copyMemoryStore, tablesOf } from './copied-stores.js';
export * from './customers.js';
export * from './extended-token.js';
export * from './faulty-chain.js';
export * from './http-calls.js';
export * from './outside-actions.js';
export { everyPostgresRow, openPostgresStoreAt } from './postgres-test-store.js';
export * from './second-signature.js';
export * from './subscriptions.js';
export * from './test-store.js';
export * from './test-world.js';
export * from './units.js';
export * from './wallets.js';

import { STORE_CAPABILITIES, STORE_METHODS } from '../ports/store/tiers.js';
import type { StoreCapabilities, StoreCapability, Store } from '../ports/index.js';
import { expectEqual } from './expect.js';
import { promiseTest } from './promise-test.js';
import { backlogTests, deliveryListTests, dueListTests } from './store/capabilities/waiting-work.js';
import { deliveryByHandTests } from './store/capabilities/deliveries-by-hand.js';
import {
  managementDurabilityTests,
  reportDurabilityTests,
  retentionDurabilityTests,
  sessionDurabilityTests,
  walletDurabilityTests,
} from './store/capabilities/durability.js';
import {
  deletedSessionTests,
  sessionsOfDeletedCheckoutTests,
  sessionsOfDeletedProjectTests,
} from './store/capabilities/deleted-sessions.js';
import { figureDurabilityTests, figureTests } from './store/capabilities/figures.js';
import { hastenedDeliveryTests, retentionTests } from './store/capabilities/retention.js';
import { linkTests } from './store/capabilities/links.js';
import { projectLookTests } from './store/capabilities/project-looks.js';
import { mailSettingsTests } from './store/capabilities/mail-settings.js';
import { mailDurabilityTests, mailsOfDeletedProjectTests } from './store/capabilities/mail-durability.js';
import { mailTests } from './store/capabilities/mails.js';
import { managementTests } from './store/capabilities/management.js';
import { paymentTests } from './store/capabilities/payments.js';
import { priceTests, reportTests } from './store/capabilities/reports.js';
import { managedProjectTests } from './store/capabilities/projects.js';
import { searchTests } from './store/capabilities/searches.js';
import { sessionTests } from './store/capabilities/sessions.js';
import { walletTests } from './store/capabilities/wallets.js';
import { chargeTests } from './store/required/charges.js';
import { claimTests, planCheckTests } from './store/required/claims.js';
import { commitTests } from './store/required/commits.js';
import { deliveryTests } from './store/required/deliveries.js';
import { durabilityTests } from './store/required/durability.js';
import { receiptTests } from './store/required/receipts.js';
import { sellersOfDeletedProjectTests, sellerTests } from './store/capabilities/sellers.js';
import { eventOrderTests } from './store/required/event-order.js';
import { heldEventTests } from './store/required/held-events.js';
import { isolationTests } from './store/required/isolation.js';
import { listTests, orderTests } from './store/required/lists.js';
import { pendingCountTests, seatTests } from './store/required/seats.js';
import { projectTests } from './store/required/projects.js';
import { roundTripTests } from './store/required/round-trips.js';
import { transactionTests } from './store/required/transactions.js';
import { uniquenessTests } from './store/required/uniqueness.js';
import type { StoreTests, StoreUnderTest } from './store/store-under-test.js';
import type { TestFunction } from './test-function.js';

export type { RawReader, StoredKind, StoreUnderTest } from './store/store-under-test.js';

/** The tests of a tier, in the order in which a store is best written. Durability needs `reopen`. */
interface Suites<Tested extends Store> {
  readonly always: readonly StoreTests<Tested>[];
  readonly durability: StoreTests<Tested>;
}

const REQUIRED: Suites<Store> = {
  always: [
    projectTests,
    orderTests,
    planCheckTests,
    commitTests,
    uniquenessTests,
    claimTests,
    listTests,
    pendingCountTests,
    seatTests,
    chargeTests,
    eventOrderTests,
    receiptTests,
    heldEventTests,
    deliveryTests,
    roundTripTests,
    transactionTests,
    isolationTests,
  ],
  durability: durabilityTests,
};

const CAPABILITIES: { readonly [Name in StoreCapability]: Suites<Store & StoreCapabilities[Name]> } = {
  WalletStore: { always: [walletTests], durability: walletDurabilityTests },
  SessionStore: {
    always: [sessionTests, projectLookTests, linkTests, deletedSessionTests],
    durability: sessionDurabilityTests,
  },
  ManagementStore: {
    always: [managedProjectTests, managementTests, deliveryByHandTests],
    durability: managementDurabilityTests,
  },
  ReportStore: {
    always: [
      searchTests,
      paymentTests,
      sellerTests,
      dueListTests,
      reportTests,
      backlogTests,
      deliveryListTests,
      priceTests,
    ],
    durability: reportDurabilityTests,
  },
  FigureStore: { always: [figureTests], durability: figureDurabilityTests },
  MailStore: { always: [mailTests, mailSettingsTests], durability: mailDurabilityTests },
  RetentionStore: { always: [retentionTests, hastenedDeliveryTests], durability: retentionDurabilityTests },
};

/** The tests of what one capability does to the records of another, for a store that has both. */
const TOGETHER: readonly (readonly [of: readonly StoreCapability[], tests: StoreTests])[] = [
  [['SessionStore', 'ManagementStore'], sessionsOfDeletedProjectTests as unknown as StoreTests],
  [['MailStore', 'ManagementStore'], mailsOfDeletedProjectTests as unknown as StoreTests],
  [['ReportStore', 'ManagementStore'], sellersOfDeletedProjectTests as unknown as StoreTests],
  [['SessionStore', 'RetentionStore'], sessionsOfDeletedCheckoutTests as unknown as StoreTests],
];

/** The facts that the kit needs of a store. */
export interface StoreConformanceOptions {
  /** Whether everything is gone when the store is closed, as in a store in memory. Default: false. */
  readonly volatile?: boolean;
  /**
   * The capabilities of the store; `[]` for the required tier alone. A test fails when the store has others.
   * Default: every capability.
   */
  readonly capabilities?: readonly StoreCapability[];
}

/**
 * The conformance kit of the `Store` port: registers one test for each promise of the required tier and of
 * the store's capabilities, racing callers included. Every test calls `open` for a new, empty store, and
 * closes it at the end. A store that passes can serve the whole service, except for missing capabilities. The
 * error of a failed test begins with the promise that the store does not keep. Tests of a tier use no other,
 * but for those of what one does to the records of another, which run when the store has both.
 *
 * @example
 * import { storeConformance } from '@subrail/core/testing';
 * import { describe, test } from 'vitest';
 *
 * describe('my store', () => {
 *   storeConformance(test, async () => {
 *     const database = await createEmptyDatabase();
 *     return {
 *       store: createMyStore(database.connect()),
 *       peer: createMyStore(database.connect()),
 *       raw: createRawReader(database),
 *       reopen: async () => {
 *         await database.disconnectAll();
 *         return createMyStore(database.connect());
 *       },
 *       close: () => database.drop(),
 *     };
 *   });
 * });
 */
export function storeConformance(
  test: TestFunction,
  open: () => Promise<StoreUnderTest>,
  { volatile = false, capabilities = STORE_CAPABILITIES }: StoreConformanceOptions = {},
): void {
  promiseTest(
    test,
    'The store',
    'has every method of the tiers that the kit tests, and no other, in transactions too',
    open,
    ({ store }) => expectMethods(store, capabilities),
  );
  // A store has the methods of the capabilities that are tested, as the test above shows.
  const suites = [REQUIRED, ...capabilities.map((name) => CAPABILITIES[name] as unknown as Suites<Store>)];
  const tests = [
    ...suites.flatMap(({ always, durability }) => (volatile ? always : [...always, durability])),
    ...TOGETHER.flatMap(([of, together]) =>
      of.every((name) => capabilities.includes(name)) ? [together] : [],
    ),
  ];
  for (const suite of tests)
    for (const [promise, check] of Object.entries(suite))
      promiseTest(test, 'The store', promise, open, check);
}

async function expectMethods(store: Store, capabilities: readonly StoreCapability[]): Promise<void> {
  const all = Object.values(STORE_METHODS).flat();
  const tested = (['Store', ...capabilities] as const).flatMap((tier) => STORE_METHODS[tier]);
  const expected = all.filter((method) => tested.includes(method));
  const methodsOf = (operations: object) =>
    all.filter((method) => typeof Reflect.get(operations, method) === 'function');
  const what = `of a store with ${['the required tier', ...capabilities].join(', ')}`;
  expectEqual(methodsOf(store), expected, `the methods ${what}`);
  expectEqual(
    await store.transaction(async (operations) => methodsOf(operations)),
    expected.filter((method) => method !== 'transaction'),
    `the methods in a transaction ${what}`,
  );
}

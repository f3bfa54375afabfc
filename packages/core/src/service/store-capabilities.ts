import { ServiceError } from '../contract/errors.js';
import type { FullStore, FullStoreOperations, Logger, Store, StoreCapability } from '../ports/index.js';
import { lackingMethods, STORE_CAPABILITIES, STORE_METHODS } from '../ports/store/tiers.js';
import { aroundCalls } from './around-calls.js';

/** The consequence of a missing capability, in a sentence for the operator. */
const WITHOUT: Readonly<Record<StoreCapability, string>> = {
  WalletStore: 'the routes of wallets and a cancel page over them',
  SessionStore: 'the sessions of the checkout and the portal, and plan links',
  ManagementStore:
    'management over HTTP, the audit log, changes of projects and API keys, deliveries by hand, the check of the sealing key, sealing secrets anew, and alerts about endpoints from before a start',
  ReportStore:
    'search, reports, the doctor, the lists of deliveries, what waits in the figures, receipts, and later prices of attempts',
  FigureStore: 'the figures of each day and the reports that are made of them',
  MailStore: 'mails to customers, and reminders',
  RetentionStore:
    'retention: events, deliveries and checkouts are never deleted, and deliveries that wait by a clock that was ahead wait that long',
};

/** The store as the service uses it, and the capabilities that it lacks. */
export interface StoreInUse {
  readonly store: FullStore;
  readonly lacks: ReadonlySet<StoreCapability>;
}

/**
 * Completes a store: each method of a capability that it lacks rejects with `not_supported`, in transactions
 * too. A complete store is used as it is. The consequences of missing capabilities are logged once.
 */
export function completeStore(store: Store, logger: Logger): StoreInUse {
  const lacks = new Set(STORE_CAPABILITIES.filter((name) => lackingMethods(store, name).length > 0));
  if (lacks.size === 0) return { store: store as FullStore, lacks };
  for (const capability of lacks)
    logger.warn(
      { capability, methods: STORE_METHODS[capability] },
      `The store lacks ${capability}. The service goes without ${WITHOUT[capability]}.`,
    );
  const refusals = Object.fromEntries(
    [...lacks].flatMap((name) =>
      STORE_METHODS[name].map((method) => [method, () => Promise.reject(notSupported(name))]),
    ),
  ) as Partial<FullStoreOperations>;
  const complete = (operations: object, more: Partial<FullStore> = {}) =>
    aroundCalls(operations as FullStore, (_, call) => call(), { ...refusals, ...more });
  const transaction: FullStore['transaction'] = (work) =>
    store.transaction((operations) => work(complete(operations)));
  return { store: complete(store, { transaction }), lacks };
}

function notSupported(capability: StoreCapability): ServiceError {
  return new ServiceError('not_supported', {
    message: `The store of this service lacks ${capability}, so it cannot do this. Ask whoever runs the service to add that to the store.`,
  });
}

/** Refuses with `not_supported` what needs a capability that the store lacks, before anything else. */
export function requireCapability({ lacks }: Pick<StoreInUse, 'lacks'>, capability: StoreCapability): void {
  if (lacks.has(capability)) throw notSupported(capability);
}

import type { ChargeStore } from './store/charge-store.js';
import type { EventStore } from './store/event-store.js';
import type { PlanStore } from './store/plan-store.js';
import type { ProjectStore } from './store/project-store.js';
import type { SubscriptionStore } from './store/subscription-store.js';
import type { WebhookStore } from './store/webhook-store.js';

export type * from './store/charge-store.js';
export type * from './store/commit.js';
export type * from './store/event-store.js';
export type * from './store/page.js';
export type * from './store/plan-store.js';
export type * from './store/project-store.js';
export type * from './store/subscription-store.js';
export type * from './store/webhook-store.js';

/**
 * Every operation on stored records. Each method is atomic: it takes effect whole or not at all, and what it returns is
 * already durable. A lost race is a return value, never an exception. A method throws `Unavailable` when the storage
 * cannot serve now, and any other error only for a fault.
 */
export interface StoreOperations
  extends ProjectStore, PlanStore, SubscriptionStore, ChargeStore, EventStore, WebhookStore {}

/**
 * The storage of the service: every operation, and transactions that join several of them. To write a store, read the one
 * of `@subrail/adapters/memory`, and run `storeConformance` of `@subrail/core/testing` against yours.
 */
export interface Store extends StoreOperations {
  /**
   * Runs several operations as one and returns what `work` returns. All of them become visible and durable together;
   * when `work` throws, none does, and the error is passed on. An operation that returns `lost` undoes only itself.
   * `work` must use only the operations it is given, and only until it ends; a nested transaction does not type-check.
   */
  transaction<T>(work: (operations: StoreOperations) => Promise<T>): Promise<T>;
}

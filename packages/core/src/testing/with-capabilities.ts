import type { FullStore, Store, StoreCapability } from '../ports/index.js';
import { STORE_METHODS } from '../ports/store/tiers.js';

/**
 * A store with the required tier and some capabilities only, to test what works without the others.
 *
 * @example
 * import { createMemoryStore } from '@subrail/adapters/memory';
 *
 * const required = withCapabilities(createMemoryStore(), []);
 */
export function withCapabilities(store: FullStore, capabilities: readonly StoreCapability[]): Store {
  const methods = (['Store', ...capabilities] as const).flatMap((tier) => STORE_METHODS[tier]);
  const only = (operations: object) =>
    Object.fromEntries(
      methods
        .filter((method) => method !== 'transaction')
        .map((method) => [
          method,
          (...given: readonly unknown[]): unknown =>
            Reflect.apply(Reflect.get(operations, method) as () => unknown, operations, given),
        ]),
    ) as unknown as Store;
  return { ...only(store), transaction: (work) => store.transaction((operations) => work(only(operations))) };
}

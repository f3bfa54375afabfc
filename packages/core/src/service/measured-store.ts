import type { Store, StoreOperations, Telemetry } from '../ports/index.js';

/** The store with every call measured, those in a transaction included. Results and errors pass unchanged. */
export function measuredStore(store: Store, telemetry: Telemetry): Store {
  const transaction: Store['transaction'] = (work) =>
    telemetry.span({ kind: 'store', name: 'transaction' }, (end) =>
      store.transaction(async (operations) => {
        try {
          return await work(measured(operations, telemetry, new Map()));
        } catch (error) {
          // The store does what it should: it undoes what its caller gives up.
          end({ outcome: 'undone', failed: false });
          throw error;
        }
      }),
    );
  return measured(store, telemetry, new Map<string, unknown>([['transaction', transaction]]));
}

/** @param methods those that are measured already, by name */
function measured<Operations extends StoreOperations>(
  operations: Operations,
  telemetry: Telemetry,
  methods: Map<string, unknown>,
): Operations {
  // Not a proxy of the operations themselves, which may be frozen.
  return new Proxy({} as Operations, {
    get(_, name) {
      const known = typeof name === 'string' ? methods.get(name) : undefined;
      if (known !== undefined) return known;
      const method: unknown = Reflect.get(operations, name);
      if (typeof method !== 'function' || typeof name !== 'string') return method;
      const call = (...given: readonly unknown[]) =>
        telemetry.span(
          { kind: 'store', name },
          () => Reflect.apply(method, operations, given) as Promise<unknown>,
        );
      methods.set(name, call);
      return call;
    },
  });
}

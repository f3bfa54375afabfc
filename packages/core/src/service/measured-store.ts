import type { Store, Telemetry } from '../ports/index.js';
import { aroundCalls } from './around-calls.js';

/** The store with every call measured, those in a transaction included. Results and errors pass unchanged. */
export function measuredStore(store: Store, telemetry: Telemetry): Store {
  const measured = (name: string, call: () => Promise<unknown>) =>
    telemetry.span({ kind: 'store', name }, call);
  const transaction: Store['transaction'] = (work) =>
    telemetry.span({ kind: 'store', name: 'transaction' }, (end) =>
      store.transaction(async (operations) => {
        try {
          return await work(aroundCalls(operations, measured));
        } catch (error) {
          // No failure of the store: the caller gave the transaction up.
          end({ outcome: 'undone', failed: false });
          throw error;
        }
      }),
    );
  return aroundCalls(store, measured, { transaction });
}

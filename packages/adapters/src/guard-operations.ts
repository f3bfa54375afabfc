import { Semaphore, Unavailable } from '@subrail/core/ports';

type Guard = <T>(run: () => Promise<T>) => Promise<T>;

/** Sends every call through the guard. */
export function guardOperations<Operations extends object>(operations: Operations, guard: Guard): Operations {
  type Operation = (...args: unknown[]) => Promise<unknown>;
  const guarded = Object.entries(operations as Record<string, Operation>).map(
    ([name, operation]) => [name, (...args: unknown[]) => guard(() => operation(...args))] as const,
  );
  // `Object.entries` loses the names and signatures, which are those of `operations`.
  return Object.fromEntries(guarded) as unknown as Operations;
}

/**
 * Runs the work of a transaction. Its operations run one at a time, in the order of the calls. After the end
 * of the work, waiting operations reject and the running one is waited for, because neither could be part of
 * the transaction.
 */
export async function withTransactionOperations<Operations extends object, T>(
  operations: Operations,
  work: (operations: Operations) => Promise<T>,
): Promise<T> {
  const turns = new Semaphore(1);
  let open = true;
  const guard: Guard = (run) =>
    turns.run(() =>
      open
        ? run()
        : Promise.reject(
            new Error(
              'The transaction is over: call its operations only before its work ends, and await them.',
            ),
          ),
    );
  try {
    return await work(guardOperations(operations, guard));
  } finally {
    open = false;
    await turns.run(() => Promise.resolve());
  }
}

/**
 * A store with a `close` that refuses later operations, waits for the running ones, and closes the database.
 * The driver cannot wait: an operation of several statements has no connection in between.
 */
export function closingAfterAll<Store extends object>(
  store: Store,
  closeDatabase: () => Promise<void>,
): { readonly store: Store; readonly close: () => Promise<void> } {
  let running = 0;
  let closed: Promise<void> | null = null;
  let allEnded = () => {};
  const guard: Guard = async (run) => {
    if (closed !== null) throw new Unavailable('The store is closed. Open it again to use it.');
    running++;
    try {
      return await run();
    } finally {
      running--;
      if (running === 0) allEnded();
    }
  };
  async function closeAfterAll(): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => (allEnded = resolve));
    await closeDatabase();
  }
  return { store: guardOperations(store, guard), close: () => (closed ??= closeAfterAll()) };
}

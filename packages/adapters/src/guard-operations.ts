import type { StoreOperations } from '@subrail/core/ports';

/** Decides when, and whether, an operation runs. */
type Guard = <T>(run: () => Promise<T>) => Promise<T>;

/** Wraps operations so that every call goes through the guard. */
export function guardOperations(operations: StoreOperations, guard: Guard): StoreOperations {
  type Operation = (...args: unknown[]) => Promise<unknown>;
  const guarded = Object.entries(operations as unknown as Record<string, Operation>).map(
    ([name, operation]) => [name, (...args: unknown[]) => guard(() => operation(...args))] as const,
  );
  // `Object.entries` loses the names and signatures, which are those of `operations`.
  return Object.fromEntries(guarded) as unknown as StoreOperations;
}

/**
 * Runs the work of a transaction with operations that run one at a time, as `serialize` orders them. They reject once
 * the work is over, because an operation called later would write outside its transaction.
 */
export async function withTransactionOperations<T>(
  operations: StoreOperations,
  serialize: Guard,
  work: (operations: StoreOperations) => Promise<T>,
): Promise<T> {
  let open = true;
  const guard: Guard = (run) =>
    serialize(() =>
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
  }
}

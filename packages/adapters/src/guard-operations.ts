import type { StoreOperations } from '@subrail/core/ports';

type Guard = <T>(run: () => Promise<T>) => Promise<T>;

/** The same operations, each call of which goes through a door. */
export function guardOperations(operations: StoreOperations, guard: Guard): StoreOperations {
  type Operation = (...given: unknown[]) => Promise<unknown>;
  const through = Object.entries(operations as unknown as Record<string, Operation>).map(
    ([name, operation]) => [name, (...given: unknown[]) => guard(() => operation(...given))] as const,
  );
  // Names and signatures are those of `operations`; only entries lose them.
  return Object.fromEntries(through) as unknown as StoreOperations;
}

/**
 * Runs a transaction's work with operations that serve one caller at a time, in order, and only until the work is over:
 * one that is kept and called later would otherwise write outside of its transaction.
 */
export async function withOperations<T>(
  operations: StoreOperations,
  inTurn: Guard,
  work: (operations: StoreOperations) => Promise<T>,
): Promise<T> {
  let open = true;
  const guard: Guard = (run) =>
    inTurn(() =>
      open ? run() : Promise.reject(new Error('The transaction this operation belongs to is over.')),
    );
  try {
    return await work(guardOperations(operations, guard));
  } finally {
    open = false;
  }
}

import { Semaphore } from '@subrail/core/ports';

/** Decides when, and whether, an operation runs. */
export type Guard = <T>(run: () => Promise<T>) => Promise<T>;

/** Wraps operations so that every call goes through the guard. */
export function guardOperations<Operations extends object>(operations: Operations, guard: Guard): Operations {
  type Operation = (...args: unknown[]) => Promise<unknown>;
  const guarded = Object.entries(operations as Record<string, Operation>).map(
    ([name, operation]) => [name, (...args: unknown[]) => guard(() => operation(...args))] as const,
  );
  // `Object.entries` loses the names and signatures, which are those of `operations`.
  return Object.fromEntries(guarded) as unknown as Operations;
}

/**
 * Runs the work of a transaction with operations that run one at a time, in the order of the calls. What an operation did after
 * the transaction would not be part of it: so once the work has ended, those that were not begun reject, and the one that runs is waited for.
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

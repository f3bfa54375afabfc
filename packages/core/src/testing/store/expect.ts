import type { Store } from '../../ports/store.js';
import { expectThat, inspect } from '../expect-that.js';

/**
 * Fails unless two values are deeply equal. A bigint equals only a bigint, a date only a date of the same instant, and
 * a field that is null does not equal one that is absent.
 */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  expectThat(deepEqual(actual, expected), `${what} to be ${inspect(expected)}`, actual);
}

/** Fails unless the promise rejects. */
export async function expectRejection(work: Promise<unknown>, what: string): Promise<void> {
  const outcome = await work.then(
    () => 'resolved',
    () => 'rejected',
  );
  expectEqual(outcome, 'rejected', what);
}

/**
 * Runs `call` for many callers at once, alternating between both connections, and returns the result of each caller.
 */
export async function race<T>(
  { store, peer }: { readonly store: Store; readonly peer: Store },
  callers: number,
  call: (store: Store, caller: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: callers }, (_, caller) => call(caller % 2 === 0 ? store : peer, caller)),
  );
}

/** Fails unless exactly one result is the winning one, and all others are the losing one. */
export function expectOneWinner<T>(results: readonly T[], winning: T, losing: T, what: string): void {
  const winners = results.filter((result) => result === winning).length;
  const losers = results.filter((result) => result === losing).length;
  expectEqual(
    { winners, losers },
    { winners: 1, losers: results.length - 1 },
    `winners and losers of ${what}`,
  );
}

function deepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Date || other instanceof Date)
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime();
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = new Map(Object.entries(one));
  const right = new Map(Object.entries(other));
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && deepEqual(value, right.get(key)))
  );
}

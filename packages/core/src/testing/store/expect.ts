import type { Store } from '../../ports/store.js';
import { expectThat, inspect } from '../expect-that.js';

/**
 * Fails unless two values are deeply equal. A bigint equals only a bigint, a date only a date of the same instant, and
 * a field that is null does not equal one that is absent.
 */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected, '');
  if (difference === null) return;
  const where =
    difference.path === ''
      ? ''
      : `, which differs at ${difference.path}: ${inspect(difference.expected)} was expected, ${inspect(difference.actual)} was found`;
  expectThat(false, `${what} to be ${inspect(expected)}${where}`, actual);
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

/** Where two values differ first, as a path of fields such as `late.automatic.nextAt`; null when they are equal. */
function firstDifference(
  actual: unknown,
  expected: unknown,
  path: string,
): { readonly path: string; readonly actual: unknown; readonly expected: unknown } | null {
  const different = { path, actual, expected };
  if (Object.is(actual, expected)) return null;
  if (!isObject(actual) || !isObject(expected)) return different;
  if (actual instanceof Date || expected instanceof Date) {
    const equal =
      actual instanceof Date && expected instanceof Date && actual.getTime() === expected.getTime();
    return equal ? null : different;
  }
  if (Array.isArray(actual) !== Array.isArray(expected)) return different;
  const [found, wanted] = [new Map(Object.entries(actual)), new Map(Object.entries(expected))];
  for (const key of new Set([...wanted.keys(), ...found.keys()])) {
    const field = path === '' ? key : `${path}.${key}`;
    if (found.has(key) !== wanted.has(key))
      return { path: field, actual: found.get(key), expected: wanted.get(key) };
    const difference = firstDifference(found.get(key), wanted.get(key), field);
    if (difference !== null) return difference;
  }
  return null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

import type { Store } from '../../ports/store.js';
import { must } from '../conformance.js';

/** Fails unless two values are alike through and through: bigints as bigints, dates as dates, null apart from absent. */
export function same(actual: unknown, expected: unknown, what: string): void {
  must(alike(actual, expected), `${what}: expected ${shown(expected)}, found ${shown(actual)}`);
}

/** Fails unless the work throws. */
export async function refused(work: Promise<unknown>, what: string): Promise<void> {
  const answer = await work.then(
    () => 'answered',
    () => 'threw',
  );
  same(answer, 'threw', what);
}

/** Runs `attempt` many times at once, by turns through both connections, and answers what each said. */
export async function raced<T>(
  { store, peer }: { readonly store: Store; readonly peer: Store },
  callers: number,
  attempt: (store: Store, caller: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: callers }, (_, caller) => attempt(caller % 2 === 0 ? store : peer, caller)),
  );
}

/** Fails unless exactly one of the answers is the winner's. */
export function oneWinner<T>(answers: readonly T[], winning: T, losing: T, what: string): void {
  const winners = answers.filter((answer) => answer === winning).length;
  const losers = answers.filter((answer) => answer === losing).length;
  same({ winners, losers }, { winners: 1, losers: answers.length - 1 }, what);
}

function alike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Date || other instanceof Date)
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime();
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = new Map(Object.entries(one));
  const right = new Map(Object.entries(other));
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && alike(value, right.get(key)))
  );
}

function shown(value: unknown): string {
  const json = { value };
  return JSON.stringify(json, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
}

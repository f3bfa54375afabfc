import type { Store } from '../../ports/store.js';
import { expectEqual } from '../expect.js';
import type { RawReader, StoredKind } from './store-under-test.js';

/** Fails unless exactly these numbers of rows are stored. A failure names the kinds of rows. */
export async function expectCounts(
  raw: RawReader,
  expected: Partial<Record<StoredKind, number>>,
): Promise<void> {
  const counted: typeof expected = {};
  for (const kind of Object.keys(expected) as StoredKind[]) counted[kind] = await raw.count(kind);
  expectEqual(counted, expected, 'the numbers of stored rows');
}

/** Runs `call` for many callers at once, alternating between both connections. */
export async function race<Tested extends Store, T>(
  { store, peer }: { readonly store: Tested; readonly peer: Tested },
  callers: number,
  call: (store: Tested, caller: number) => Promise<T>,
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

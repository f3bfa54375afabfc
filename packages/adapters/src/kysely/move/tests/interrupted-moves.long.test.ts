// Heavy: a move is interrupted again and again.

import { startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveRecords } from '../../index.js';
import { interrupting, Interrupted } from './interrupting.js';
import { postgresPlace, sqlitePlace } from './place.js';
import { fillEveryTable } from './records-of-every-table.js';
import { inUse, rowsOf, withStore } from './with-place.js';

/** So many that tables have several batches. */
const SUBSCRIPTIONS = 700;
/** Each seventh statement: seven is coprime with the statements of a batch, so each of them is met. */
const STEP = 7;

// The server has one version only: the statements of a move do not depend on it.
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

test('a move that was interrupted, after whichever statement, moves every row when it is run again', async () => {
  let statements = Infinity;
  for (let after = 1; after < statements; after += STEP) {
    const [source, target] = [sqlitePlace(), await postgresPlace(server.url)];
    await withStore(source, (store) => fillEveryTable(store, SUBSCRIPTIONS));
    const [here, there] = [await source.openMovable(), await target.openMovable()];
    const before = await rowsOf(here);
    const counter = interrupting(after);
    const moved = moveRecords(counter.over(here), counter.over(there));
    const interrupted = await moved.then(
      () => false,
      (error: unknown) => error instanceof Interrupted || (error as Error).cause instanceof Interrupted,
    );
    if (interrupted) {
      expect((await inUse(here)) && (await inUse(there))).toBe(false);
      await moveRecords(here, there).catch((error: unknown) => {
        // The interrupted run had ended already.
        expect(String(error)).toContain('were moved already');
      });
    } else statements = after;
    expect(await rowsOf(there)).toEqual(before);
    await here.close();
    await there.close();
    await expect(source.openStore()).rejects.toThrow('were moved to another one');
    await (await target.openStore()).close();
    await source.remove();
    await target.remove();
  }
  expect(statements).toBeGreaterThan(100);
}, 1_200_000);

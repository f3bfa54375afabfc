import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../sqlite/index.js';
import { everyCall, type Calls } from './large/every-call.js';

/** SQLite has one connection: asking for another one would wait for the own transaction for ever. */
test('every operation of a transaction uses the connection of that transaction', async () => {
  const { store, close } = await openSqliteStore({ path: ':memory:' });
  const names = Object.keys(everyCall(store)) as (keyof Calls)[];
  for (const name of names) {
    const transaction = store.transaction(async (operations) => {
      // Whatever a call answers or refuses: the database is empty.
      for (const call of everyCall(operations)[name]) await call().catch(() => undefined);
      return 'ended';
    });
    expect([name, await Promise.race([transaction, pause(5_000, 'hangs')])]).toEqual([name, 'ended']);
  }
  await close();
});

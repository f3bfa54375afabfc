import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../sqlite/index.js';
import { everyCall } from './large/every-call.js';

/** SQLite has one connection: an operation that asked for another one would wait for its own transaction for ever. */
test('every operation of a transaction uses the connection of that transaction', async () => {
  const { store, close } = await openSqliteStore({ path: ':memory:' });
  for (const [name, calls] of Object.entries(everyCall(store)))
    for (const at of calls.keys()) {
      const transaction = store.transaction(async (operations) => {
        // Whatever the call answers or refuses: the database is empty.
        await Object.entries(everyCall(operations))
          .find(([other]) => other === name)?.[1][at]?.()
          .catch(() => undefined);
        return 'ended';
      });
      expect([name, await Promise.race([transaction, pause(5_000, 'hangs')])]).toEqual([name, 'ended']);
    }
  await close();
});

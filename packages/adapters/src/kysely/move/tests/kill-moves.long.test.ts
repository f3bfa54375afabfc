// Heavy: processes that move records are killed and run again.

import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '@subrail/core/testing';
import { startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScript, type Child } from '../../../sqlite/tests/child.js';
import { postgresPlace, sqlitePlace, type Place } from './place.js';
import { fillEveryTable } from './records-of-every-table.js';
import { inUse, rowsOf, withMovable, withStore } from './with-place.js';

/** How often a move is killed. Each kill costs the second or two in which a process starts. */
const KILLS = Number(process.env['KILLS'] ?? 5);
const SUBSCRIPTIONS = 2_000;
const MOVE = new URL('./children/move-records.ts', import.meta.url);

// A process that is killed is the same for every version of the server.
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

const bytes = new SeededRandom(Number(process.env['PROPERTY_SEED'] ?? 12));
/** A number from 0 to 1. */
const random = () => ((bytes.bytes(1)[0] ?? 0) * 256 + (bytes.bytes(1)[0] ?? 0)) / 65_535;

async function beginMove(source: Place<unknown>, target: Place<unknown>): Promise<Child> {
  const child = startScript(MOVE, [source.address, target.address]);
  expect(await child.line()).toBe('begins');
  return child;
}

test(
  `a move whose process is killed ${KILLS} times never leaves both open, and ends the same`,
  async () => {
    // The first move says how long one takes, and is not killed.
    let whole: number | null = null;
    for (let kills = 0; kills < KILLS;) {
      const [source, target] = [sqlitePlace(), await postgresPlace(server.url)];
      await withStore(source, (store) => fillEveryTable(store, SUBSCRIPTIONS));
      const before = await withMovable(source, rowsOf);
      for (let isOver = false; !isOver;) {
        const child = await beginMove(source, target);
        const began = performance.now();
        const end = child.line().then(() => true);
        // Its process is killed before it says so.
        end.catch(() => undefined);
        const ends = whole === null ? end : Promise.race([end, pause(whole * random(), false)]);
        if (await ends) whole ??= performance.now() - began;
        else kills++;
        await child.kill();
        const open = [await withMovable(source, inUse), await withMovable(target, inUse)];
        expect(open).not.toEqual([true, true]);
        isOver = open[1] === true;
      }
      expect(await withMovable(source, inUse)).toBe(false);
      expect(await withMovable(target, rowsOf)).toEqual(before);
      await expect(source.openStore()).rejects.toThrow('were moved to another one');
      await (await target.openStore()).close();
      await source.remove();
      await target.remove();
    }
  },
  600_000 + KILLS * 20_000,
);

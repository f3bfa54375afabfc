import { rateLimitConformance } from '@subrail/core/testing';
import { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createKyselyRateLimit, migrate, type Database } from '../../kysely/index.js';
import { SqliteDialect } from '../dialect.js';
import { sqliteTraits } from '../../sqlite-engine.js';
import { openFile } from '../file.js';
import { scratchFile } from './scratch.js';

async function openOn(path: string) {
  const dialect = new SqliteDialect(await openFile(path, 5_000), 5_000);
  const db = new Kysely<Database>({ dialect });
  await migrate(db, sqliteTraits);
  return { db, rateLimit: createKyselyRateLimit(db), close: () => dialect.close() };
}

describe('the RateLimit port on one SQLite file, with two connections', () => {
  rateLimitConformance(test, async () => {
    const { path, remove } = scratchFile();
    const [first, second] = [await openOn(path), await openOn(path)];
    return {
      rateLimit: first.rateLimit,
      peer: second.rateLimit,
      async close() {
        await Promise.all([first.close(), second.close()]);
        remove();
      },
    };
  });
});

test('windows that ended a minute ago are deleted', async () => {
  const { db, rateLimit, close } = await openOn(':memory:');
  const at = (seconds: number) => new Date(Date.UTC(2026, 9, 2) + seconds * 1_000);
  for (const [caller, seconds] of [
    ['a', 0],
    ['b', 50],
    ['c', 130],
  ] as const)
    await rateLimit.take(caller, 1, { startedAt: at(seconds), now: at(seconds) });
  const rows = await db.selectFrom('rate_windows').select('caller').orderBy('caller').execute();
  expect(rows.map(({ caller }) => caller)).toEqual(['b', 'c']);
  await close();
});

import { expect, test } from 'vitest';
import { openMovableSqlite } from '../../sqlite/index.js';
import { moveRecords } from '../index.js';

test('a caller without types who moves otherwise than from SQLite to PostgreSQL is refused, and nothing is changed', async () => {
  const source = await openMovableSqlite({ path: ':memory:' });
  const target = await openMovableSqlite({ path: ':memory:' });
  // @ts-expect-error -- a file is no target
  const moved = moveRecords(source, target);
  await expect(moved).rejects.toThrow(
    /^Records move from SQLite to PostgreSQL only\. To have them in another SQLite file, .*"subrail backup"/,
  );
  for (const { db, close } of [source, target]) {
    expect(await db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
    await close();
  }
});

import { expect, test } from 'vitest';
import { openMovableSqlite } from '../../sqlite/index.js';
import { migrate } from '../index.js';
import { MOVED_TABLES } from './tables.js';

test('a move knows every table of the schema', async () => {
  const { db, traits, close } = await openMovableSqlite({ path: ':memory:' });
  await migrate(db, traits);
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  expect(tables.filter((name) => !name.startsWith('subrail_')).sort()).toEqual(
    Object.keys(MOVED_TABLES).sort(),
  );
  await close();
});

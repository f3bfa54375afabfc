import { expect, test } from 'vitest';
import { migrate } from '../../index.js';
import { MOVED_TABLES } from '../tables.js';
import { describeMoves } from './describe-moves.js';
import { sqlitePlace } from './place.js';

describeMoves('moving records from SQLite to SQLite', { from: sqlitePlace, to: sqlitePlace });

test('a move knows every table of the schema', async () => {
  const place = await sqlitePlace();
  const { db, traits, close } = await place.openMovable();
  await migrate(db, traits);
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  expect(tables.filter((name) => !name.startsWith('subrail_')).sort()).toEqual(
    Object.keys(MOVED_TABLES).sort(),
  );
  await close();
  await place.remove();
});

import { expect, test } from 'vitest';
import { postgresTraits } from '../engines/postgres.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { fingerprint } from '../migrate.js';

/**
 * The hashes of each migration for SQLite and PostgreSQL. Released lines never change: a database that ran a
 * migration which was edited since is refused.
 */
const HASHES: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  '0001_initial': ['9b21fe0f27a3da15', 'e2287caeec7318be'],
};

const TO_DO =
  'Add the hashes of a new migration to HASHES. A migration of a release is never edited: undo that, and add another one';

test('every migration has its hashes here, and none was edited', async () => {
  const hashes = async (traits: Parameters<typeof fingerprint>[0]) =>
    Object.keys(await fingerprint(traits)).map((name) => name.split('#'));
  const onPostgres = new Map((await hashes(postgresTraits)) as [string, string][]);
  const actual = (await hashes(sqliteTraits)).map(([name = '', hash]) => [
    name,
    [hash, onPostgres.get(name)],
  ]);
  expect(actual, TO_DO).toEqual(Object.entries(HASHES));
});

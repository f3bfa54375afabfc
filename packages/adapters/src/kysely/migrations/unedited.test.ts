import { expect, test } from 'vitest';
import { postgresTraits } from '../engines/postgres.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { fingerprint } from '../migrate.js';

/**
 * The hashes of each migration for SQLite and PostgreSQL. Released lines never change: a database that ran a
 * migration which was edited since is refused.
 */
const HASHES: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  '0001_initial': ['e0b107250b2de0be', 'b0b2ebb70ed272ea'],
};

test('no migration was edited', async () => {
  const names = async (traits: Parameters<typeof fingerprint>[0]) => Object.keys(await fingerprint(traits));
  const hashed = (engine: 0 | 1) =>
    Object.entries(HASHES).map(([name, hashes]) => `${name}#${hashes[engine]}`);
  expect(await names(sqliteTraits)).toEqual(hashed(0));
  expect(await names(postgresTraits)).toEqual(hashed(1));
});

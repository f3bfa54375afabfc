import { DummyDriver, Kysely, type DatabaseConnection } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../kysely/index.js';
import { postgresDialect } from '../kysely/engines/postgres.js';
import { unfitVersion } from './unfit.js';

/** A server that answers every statement with its version, as those do that the tests have no programs of. */
class ServerOfVersion extends DummyDriver {
  constructor(private readonly version: string) {
    super();
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    const rows = [{ version: this.version }];
    return Promise.resolve({
      executeQuery: () => Promise.resolve({ rows: rows as never[] }),
      streamQuery: () => {
        throw new Error('Nothing is streamed.');
      },
    });
  }
}

test.each([
  ['14.19 (Debian 14.19-1.pgdg13+1)', 'The Postgres server has version 14.19 (Debian 14.19-1.pgdg13+1), '],
  ['9.6.24', 'The Postgres server has version 9.6.24, '],
  ['15.0', null],
  ['15beta1', null],
  ['18.1 (Ubuntu 18.1-1)', null],
  ['19devel', null],
])('a server of version %s is refused with a sentence if it is older than 15', async (version, begin) => {
  const db = new Kysely<Database>({ dialect: postgresDialect(new ServerOfVersion(version)) });
  const sentence =
    begin === null
      ? null
      : `${begin}and Subrail needs version 15 or later. Upgrade the server, or use another one.`;
  expect(await unfitVersion(db)).toBe(sentence);
});

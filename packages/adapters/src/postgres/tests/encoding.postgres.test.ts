import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { openPostgresStore, pendingPostgresMigrations, PostgresRefusal } from '../index.js';

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database with the encoding %s is refused and stays empty',
  async (encoding) => {
    const admin = new pg.Client({ connectionString: inject('postgres') });
    await admin.connect();
    const name = `encoding_${encoding.toLowerCase()}`;
    await admin.query(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
    const url = Object.assign(new URL(inject('postgres')), { pathname: `/${name}` }).href;
    try {
      for (const open of [openPostgresStore, pendingPostgresMigrations])
        await expect(open({ url })).rejects.toThrow(
          new PostgresRefusal(
            `The database has the encoding ${encoding}, and records can have any character. Create a new one: createdb --encoding=UTF8 --template=template0. If it has records, bring them there with pg_dump and pg_restore.`,
          ),
        );
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace`;
      expect((await client.query(tables)).rows).toEqual([]);
      await client.end();
    } finally {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    }
  },
);

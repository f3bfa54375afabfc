import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface EmptyDatabase {
  readonly url: string;
  /** Ends the connections to it and deletes it. */
  drop(): Promise<void>;
}

/**
 * Creates a database on a server, with a name of its own.
 *
 * @param template the address of a database to copy, which nobody is connected to; an empty one when left out
 * @param strategy how it is copied; as its files, the server has none of their pages in memory afterwards
 */
export async function emptyDatabase(
  server: string,
  template?: string,
  strategy: 'wal_log' | 'file_copy' = 'wal_log',
): Promise<EmptyDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const copied = template === undefined ? '' : ` template "${databaseOf(template)}" strategy ${strategy}`;
  await runOn(server, `create database "${name}"${copied}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(server, `drop database "${name}" with (force)`) };
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/**
 * Deletes every row of a database but those of its migrations. What tests write takes less time to delete than its tables to be
 * truncated or created anew.
 */
export const EMPTY_TABLES = `do $$ declare name text; begin
  for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    -- What refers to a table was created after it.
    and relname not like '%migrations%' order by oid desc
  loop execute format('delete from %I', name); end loop;
end $$`;

export type Row = Readonly<Record<string, unknown>>;

/** Reads every row of every table of a database, by the names of the tables. */
export async function everyRow(url: string): Promise<Readonly<Record<string, readonly Row[]>>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    const read: Record<string, readonly Row[]> = {};
    for (const { name } of tables)
      read[name] = (
        await client.query<Row>(`select * from ${client.escapeIdentifier(name)} as t order by t::text`)
      ).rows;
    return read;
  });
}

/** Empties the database at an address. */
export function emptyTables(url: string): Promise<void> {
  return runOn(url, EMPTY_TABLES);
}

async function runOn(server: string, statement: string): Promise<void> {
  await withClient(server, (client) => client.query(statement));
}

/** Does something with a connection of its own. */
export async function withClient<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

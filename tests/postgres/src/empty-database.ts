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
 * Deletes every row of a database but those of its migrations: for what tests write that is faster than to
 * truncate the tables or create them anew.
 */
export const EMPTY_TABLES = `do $$ declare name text; begin
  for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    -- What refers to a table was created after it.
    and relname not like '%migrations%' order by oid desc
  loop execute format('delete from %I', name); end loop;
end $$`;

export type Row = Readonly<Record<string, unknown>>;

/** Rows by the names of their tables. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** Reads every row of every table of a database. */
export function everyRow(url: string): Promise<Rows> {
  return withClient(url, readRows);
}

async function readRows(client: pg.Client): Promise<Rows> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const read: Record<string, readonly Row[]> = {};
  for (const { name } of tables)
    read[name] = (
      await client.query<Row>(`select * from ${client.escapeIdentifier(name)} as t order by t::text`)
    ).rows;
  return read;
}

/** Reads the rows of a database again and again, over a connection of its own. */
export interface RowReader {
  /** Every row of every table. While nobody writes on the server, it is the same object as before. */
  read(): Promise<Rows>;
  close(): Promise<void>;
}

export async function openRowReader(url: string): Promise<RowReader> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let last: { readonly version: string; readonly rows: Rows } | null = null;
  return {
    async read() {
      // The transactions that ended. Read before the rows, so that one ending meanwhile is seen next time.
      const { rows } = await client.query<{ version: string }>(
        'select pg_current_snapshot()::text as version',
      );
      const version = rows[0]?.version ?? '';
      if (last?.version !== version) last = { version, rows: await readRows(client) };
      return last.rows;
    },
    close: () => client.end(),
  };
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

import { statSync } from 'node:fs';
import { openPostgresStore } from '@subrail/adapters/postgres';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { FullStore } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import pg from 'pg';

/** A statement that reads rows, with the values that are bound in it. */
type BareRead = (values: readonly string[]) => unknown;

/** The database that the bench fills, and reads without the store. */
export interface BenchDatabase {
  /** Opens the store, which creates the tables, and closes it afterwards. */
  withStore<T>(work: (store: FullStore) => Promise<T>): Promise<T>;
  /** Runs statements without the indexes of subscriptions, which are built at the end, faster. */
  load(work: (run: (sql: string) => Promise<void>) => Promise<void>): Promise<void>;
  /** The columns of the subscriptions, which are known once the store was opened. */
  columns(): readonly string[];
  /** Its size in bytes. */
  size(): Promise<number>;
  /** Prepares a read whose values are written `?`. */
  prepare(sql: string): BareRead;
  /** Expressions for eight hexadecimal digits, for padded digits, and for a large whole number. */
  readonly hex: (number: string) => string;
  readonly padded: (number: string, length: number) => string;
  readonly bigint: (number: string) => string;
  close(): Promise<void>;
}

/** The SQLite file at a path. */
export function sqliteBench(path: string): BenchDatabase {
  let reader: SqliteFile.Database | null = null;
  const open = () => (reader ??= new SqliteFile(path));
  return {
    async withStore(work) {
      const { store, close } = await openSqliteStore({ path });
      try {
        return await work(store);
      } finally {
        await close();
      }
    },
    async load(work) {
      const file = new SqliteFile(path);
      file.pragma('synchronous = OFF');
      file.pragma('cache_size = -500000');
      const indexes = file
        .prepare<[], { name: string; sql: string }>(
          `select name, sql from sqlite_master where tbl_name = 'subscriptions' and type = 'index' and sql is not null`,
        )
        .all();
      file.exec('begin');
      for (const { name } of indexes) file.exec(`drop index ${name}`);
      await work(async (sql) => void file.exec(sql));
      for (const { sql } of indexes) file.exec(sql);
      file.exec('commit');
      file.pragma('wal_checkpoint(TRUNCATE)');
      file.close();
    },
    columns: () =>
      open()
        .prepare<[], { name: string }>(`select name from pragma_table_info('subscriptions')`)
        .all()
        .map(({ name }) => name),
    size: () => Promise.resolve(statSync(path).size),
    prepare(sql) {
      const statement = open().prepare(sql);
      return (values) => statement.all(...values);
    },
    hex: (number) => `printf('%08x', ${number})`,
    padded: (number, length) => `printf('%0${length}d', ${number})`,
    bigint: (number) => number,
    close: () => Promise.resolve(void reader?.close()),
  };
}

/** The empty PostgreSQL database at an address. */
export async function postgresBench(url: string): Promise<BenchDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let columns: readonly string[] = [];
  return {
    async withStore(work) {
      const { store, close } = await openPostgresStore({ url });
      try {
        const { rows } = await client.query<{ name: string }>(
          `select column_name as name from information_schema.columns where table_name = 'subscriptions'`,
        );
        columns = rows.map(({ name }) => name);
        return await work(store);
      } finally {
        await close();
      }
    },
    async load(work) {
      const { rows: indexes } = await client.query<{ name: string; sql: string }>(
        `select indexname as name, indexdef as sql from pg_indexes where tablename = 'subscriptions'
         and indexname not in (select conname from pg_constraint)`,
      );
      await client.query(`begin; set local maintenance_work_mem = '500MB'`);
      for (const { name } of indexes) await client.query(`drop index ${name}`);
      await work(async (sql) => {
        await client.query(sql);
      });
      for (const { sql } of indexes) await client.query(sql);
      await client.query('commit');
      await client.query('vacuum analyze');
    },
    columns: () => columns,
    async size() {
      const { rows } = await client.query<{ size: string }>(
        'select pg_database_size(current_database()) as size',
      );
      return Number(rows[0]?.size);
    },
    prepare(sql) {
      let place = 0;
      const text = sql.replace(/\?/g, () => `$${++place}`);
      return (values) => client.query({ name: text.slice(0, 60), text, values: [...values] });
    },
    hex: (number) => `lpad(to_hex(${number}), 8, '0')`,
    padded: (number, length) => `lpad((${number})::text, ${length}, '0')`,
    bigint: (number) => `${number}::bigint`,
    close: () => client.end(),
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabase } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import pg from 'pg';
import { moveRecords, type TableTotals } from '../src/kysely/index.js';
import { openMovablePostgres } from '../src/postgres/index.js';
import { openMovableSqlite } from '../src/sqlite/index.js';
import { startBenchServer } from './charge/bench-server.js';
import { load } from './charge/filled-store.js';
import { fillAndClose } from './store/engines.js';

// Moves the records of a SQLite file to PostgreSQL on this machine, with `fsync` on, as `subrail migrate --to` does: each has a
// transfer, an attempt, an event and a delivery. The ratio compares its rows a second with those of a bare copy of the subscriptions, which
// reads them all and inserts them by many rows a statement into a table without indexes, and compares nothing. It does not fail the run.
//
// `npm run bench move [subscriptions]` takes 1,000,000 by default, for which it runs some ten minutes.

const count = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(count) || count < 1_000 || count > 1_000_000)
  throw new RangeError('The number of subscriptions must be between 1,000 and 1,000,000.');
const ROWS_OF_A_STATEMENT = 500;

const folder = mkdtempSync(join(tmpdir(), 'subrail-bench-'));
const path = join(folder, 'billing.db');
const server = await startBenchServer();
const database = await emptyDatabase(server.url);
try {
  console.log(`Load average: ${load()}.`);
  await fillAndClose(await openMovableSqlite({ path }), count);
  const bare = await copyBare();
  console.log(`bare copy of the subscriptions: ${bare.toFixed(0)} rows a second`);
  const { totals, copying, comparing } = await move();
  const rows = totals.reduce((sum, table) => sum + table.rows, 0);
  const moved = rows / (copying + comparing);
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${rows.toLocaleString('en-US')} rows: copied with their indexes in ${copying.toFixed(0)} s, compared in ${comparing.toFixed(0)} s, ` +
      `${moved.toFixed(0)} a second, at most ${peak.toFixed(0)} MiB. Ratio ${(moved / bare).toFixed(2)}.`,
  );
  console.log(`Load average at the end: ${load()}.`);
} finally {
  await database.drop();
  await server.remove();
  rmSync(folder, { recursive: true });
}

/** Returns the rows a second. */
async function copyBare(): Promise<number> {
  const file = new SqliteFile(path, { readonly: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const select = file.prepare('select * from subscriptions').raw();
  const columns = select.columns().map(({ name, type }) => `${name} ${type ?? 'text'}`);
  await client.query(`create unlogged table bare (${columns.join(', ')})`);
  const started = performance.now();
  let batch: unknown[][] = [];
  const insert = async () => {
    let place = 0;
    const values = batch.map((row) => `(${row.map(() => `$${++place}`).join(', ')})`);
    await client.query(`insert into bare values ${values.join(', ')}`, batch.flat());
    batch = [];
  };
  for (const row of select.iterate() as Iterable<unknown[]>) {
    batch.push(row);
    if (batch.length === ROWS_OF_A_STATEMENT) await insert();
  }
  if (batch.length > 0) await insert();
  const seconds = (performance.now() - started) / 1_000;
  await client.query('drop table bare');
  await client.end();
  file.close();
  return count / seconds;
}

/** How long it took to copy, with the indexes that are made after each table, and to compare, in seconds. */
async function move(): Promise<{
  readonly totals: readonly TableTotals[];
  readonly copying: number;
  readonly comparing: number;
}> {
  const [source, target] = [
    await openMovableSqlite({ path }),
    await openMovablePostgres({ url: database.url }),
  ];
  const started = performance.now();
  let compares = 0;
  const totals = await moveRecords(source, target, ({ step }) => {
    if (step === 'comparing' && compares === 0) compares = performance.now();
  });
  const ended = performance.now();
  await source.close();
  await target.close();
  return { totals, copying: (compares - started) / 1_000, comparing: (ended - compares) / 1_000 };
}

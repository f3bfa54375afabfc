import { cancelMove, moveRecords, moveRefusal, type TableTotals } from '@subrail/adapters/kysely';
import { Unavailable } from '@subrail/core/ports';
import type { DatabaseConfig } from '../config/read-config.js';
import { CommandFailed } from './errors.js';
import { databaseNamed } from './database-named.js';
import { progressOn, type Terminal } from './terminal.js';

/** Rows of a table between two lines of progress. */
const ROWS_OF_A_LINE = 100_000;

/**
 * Moves all records of a SQLite file to a PostgreSQL database, and says on the way how far it is.
 * @param to the value of `--to`
 * @returns the text for the end: the totals, and what to do now
 */
export async function moveDatabase(
  from: DatabaseConfig,
  to: string,
  terminal: Terminal,
  json: true | undefined,
): Promise<string> {
  const target = databaseNamed(to, { option: '--to', folder: terminal.folder });
  const progress = progressOn(terminal, json);
  if (from.kind !== 'sqlite' || target.kind !== 'postgres') throw moveRefusal(from.kind, target.kind);
  const { openMovableSqlite } = await import('@subrail/adapters/sqlite');
  const { openMovablePostgres } = await import('@subrail/adapters/postgres');
  const source = await openMovableSqlite({ path: from.path });
  try {
    const opened = await openMovablePostgres({ url: target.url });
    try {
      const totals = await moveRecords(source, opened, ({ step, table, rows, added }) => {
        if (Math.floor(rows / ROWS_OF_A_LINE) === Math.floor((rows - added) / ROWS_OF_A_LINE)) return;
        const verb = step === 'copying' ? 'Copied' : 'Compared';
        progress(`${verb} ${count(rows)} rows of ${table}.`);
      }).catch((error: unknown) => {
        throw error instanceof Unavailable ? interrupted(error) : error;
      });
      return json === true ? `${asJson(totals)}\n` : described(totals);
    } finally {
      await opened.close();
    }
  } finally {
    await source.close();
  }
}

/** Gives up an unfinished move of a file. Returns the text for the end. */
export async function cancelMoveOf(from: DatabaseConfig): Promise<string> {
  if (from.kind === 'postgres')
    throw new CommandFailed(
      'A move is given up in the SQLite file that the records are moved from: set SUBRAIL_DATABASE (or "database" in the configuration file) to that file.',
    );
  const { openMovableSqlite } = await import('@subrail/adapters/sqlite');
  const source = await openMovableSqlite({ path: from.path });
  try {
    await cancelMove(source);
  } finally {
    await source.close();
  }
  return (
    'The move was given up, and the database can be used again: start the hosts.\n' +
    'Delete the database that the records were being moved to. No host starts on that one.\n'
  );
}

function interrupted(cause: Unavailable): CommandFailed {
  const why = cause.cause instanceof Error ? ` (${cause.cause.message})` : '';
  return new CommandFailed(
    `The move was interrupted: a database could not be used${why}. Run the same command again, and it goes on where it was.`,
    { cause },
  );
}

function described(totals: readonly TableTotals[]): string {
  const rows = totals.reduce((sum, table) => sum + table.rows, 0);
  const width = Math.max(...totals.map(({ table }) => table.length));
  const lines = totals.map(({ table, rows, sums }) => {
    const amounts = Object.entries(sums).map(([column, sum]) => `, ${column} ${sum} in all`);
    return `  ${table.padEnd(width)} ${count(rows).padStart(12)} rows${amounts.join('')}`;
  });
  return [
    `Moved ${count(rows)} rows. Every value of every row is the same in both databases:`,
    ...lines,
    'Switch now: set SUBRAIL_DATABASE (or "database" in the configuration file) to the new database for every host, and start them.',
    'The old database is as it was, and hosts refuse it from now on. Keep it until the new one has a backup.',
    '',
  ].join('\n');
}

/** Sums are larger than JSON's numbers are exact. */
function asJson(totals: readonly TableTotals[]): string {
  return JSON.stringify({ tables: totals }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

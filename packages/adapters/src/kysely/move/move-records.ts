import { sql, type Kysely } from 'kysely';
import { appliedMigrations } from '../applied-migrations.js';
import { migrateTarget, missingInSource } from '../migrate.js';
import type { Database } from '../tables/database.js';
import { claimTarget, freezeSource, leaveSource, MoveRefused, openTarget, writeAsTarget } from './claim.js';
import { compareTable, type TableTotals } from './compare-table.js';
import { copyTable, type TablePair, type Write } from './copy-table.js';
import { explaining } from './explaining.js';
import { requireInvariants } from './invariants.js';
import { markAmong, nameOfMark, type MoveMark } from './mark.js';
import { moveRefusal } from './direction.js';
import type { MoveSource, MoveTarget } from './ends.js';
import { TableRows } from './table-rows.js';
import { MOVED_TABLES } from './tables.js';

/** How far a move is. */
export interface MoveProgress {
  readonly step: 'copying' | 'comparing';
  readonly table: string;
  /** The rows of the table that this run has copied or compared. */
  readonly rows: number;
  /** The rows of the last batch. */
  readonly added: number;
}

/**
 * Moves the records of a SQLite file to an empty PostgreSQL database. Stop all hosts first: the engine of the
 * source refuses every write, and no host starts on either database until the move ends. Hosts then refuse
 * the source for ever.
 *
 * It copies each table in batches, compares every value in both databases, and checks what must hold between
 * tables. After an interruption, call it again: it goes on behind the last copied row. `cancelMove` gives up
 * an unfinished move.
 *
 * @param progress is called after each batch, and waited for
 * @returns the rows of each table and the sums of its amounts, the same in both databases
 * @throws MoveRefused when another run moves to the target, a host has the source open, the source lacks
 * migrations, the target is not empty or cannot hold a record, or the databases differ
 * @throws SchemaDriftError when the source was migrated by another release
 * @example
 * import { moveRecords, type MoveSource, type MoveTarget } from '@subrail/adapters/kysely';
 *
 * async function move(source: MoveSource, target: MoveTarget) {
 *   for (const { table, rows } of await moveRecords(source, target)) console.log(`${table}: ${rows}`);
 * }
 */
export async function moveRecords(
  source: MoveSource,
  target: MoveTarget,
  progress: (progress: MoveProgress) => void | Promise<void> = () => undefined,
): Promise<readonly TableTotals[]> {
  const [from, to] = [source.traits.dialect, target.traits.dialect];
  if (from !== 'sqlite' || to !== 'postgres') throw moveRefusal(from, to);
  const unlock = await target.lockMove();
  if (unlock === null)
    throw new MoveRefused(
      'Another process moves records to this database now. Wait until it ends, or stop it and run this again.',
    );
  try {
    return await moveAlone(source, target, progress);
  } finally {
    await unlock();
  }
}

async function moveAlone(
  source: MoveSource,
  target: MoveTarget,
  progress: (progress: MoveProgress) => void | Promise<void>,
): Promise<readonly TableTotals[]> {
  const before = await requireMovable(source, target);
  const wasFrozen = before !== null;
  const id = await explaining('The database to move to cannot be prepared', wasFrozen, () =>
    claimTarget(target, before),
  );
  await explaining('The database to move from cannot be frozen', wasFrozen, () =>
    freezeSource(source, id, before),
  );
  await explaining('The tables cannot be created in the database to move to', true, () =>
    migrateTarget(target.db, target.traits, { state: 'moving_here', id }),
  );
  const tables = await tablesOf(source.db, target.db);
  const write: Write = (work) => writeAsTarget(target, id, work);
  for (const table of tables)
    await explaining(`The table ${table.name} cannot be copied`, true, () =>
      copyTable(table, write, counting('copying', table.name, progress)),
    );
  const totals: TableTotals[] = [];
  for (const table of tables)
    totals.push(
      await explaining(`The table ${table.name} cannot be compared`, true, () =>
        compareTable(table, counting('comparing', table.name, progress)),
      ),
    );
  await explaining('The move cannot be ended', true, async () => {
    await requireInvariants(target.db);
    // The server needs statistics of the new rows to choose indexes.
    await sql`vacuum (analyze)`.execute(target.db);
    // In this order at most one of the two can be used at any time.
    await leaveSource(source, id);
  });
  await openTarget(target, id);
  return totals;
}

/**
 * Refuses a source that hosts use, that lacks migrations or was moved, or that the target cannot hold.
 * Returns the mark of the source.
 */
async function requireMovable(source: MoveSource, target: MoveTarget): Promise<MoveMark | null> {
  const applied = await appliedMigrations(source.db);
  const mark = markAmong(applied);
  if (mark?.state === 'moved_away' && markAmong(await appliedMigrations(target.db))?.id !== mark.id)
    throw new MoveRefused(
      'The records of this database were moved already. Use the database that they were moved to.',
    );
  const ofRelease = applied.filter((name) => mark === null || name !== nameOfMark(mark));
  const missing = await missingInSource(ofRelease, source.traits);
  if (missing.length > 0)
    throw new MoveRefused(
      mark === null
        ? `The database to move from lacks the migrations ${missing.join(', ')}. Run "subrail migrate" on it first.`
        : 'An earlier release began this move, and this one has another schema. ' +
            (mark.state === 'moved_away'
              ? 'Finish it with that release.'
              : 'Finish it with that release, or give it up with "subrail migrate --cancel-move".'),
    );
  // A frozen source passed these checks, and is not written to.
  if (mark !== null) return mark;
  if (source.isInUse)
    throw new MoveRefused(
      'Another process has the database to move from open, such as a host. Stop all hosts, and run this again.',
    );
  const unfit = await target.unfitFor(source.db);
  if (unfit !== null) throw new MoveRefused(unfit);
  return null;
}

async function tablesOf(source: Kysely<Database>, target: Kysely<Database>): Promise<readonly TablePair[]> {
  const [ours, theirs] = [await columnsOf(source), await columnsOf(target)];
  const copied = Object.entries(MOVED_TABLES).filter(([, { follows }]) => follows === undefined);
  return copied.map(([name, about]) => {
    const columns = ours.get(name) ?? [];
    if (columns.join() !== theirs.get(name)?.join())
      throw new MoveRefused(`The table ${name} has other columns in one database than in the other.`);
    return {
      name,
      about,
      source: new TableRows(source, name, about, columns),
      target: new TableRows(target, name, about, columns),
    };
  });
}

async function columnsOf(db: Kysely<Database>): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await db.introspection.getTables();
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]));
}

function counting(
  step: MoveProgress['step'],
  table: string,
  progress: (progress: MoveProgress) => void | Promise<void>,
): (rows: number) => Promise<void> {
  let rows = 0;
  return async (batch) => {
    rows += batch;
    await progress({ step, table, rows, added: batch });
  };
}

import { sql, type Kysely } from 'kysely';
import { toHex } from '../../hex.js';
import { appliedInTransaction, MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from '../applied-migrations.js';
import { againAfterConflicts } from '../query/again-after-conflicts.js';
import type { Database } from '../tables/database.js';
import { markAmong, nameOfMark, type MoveMark } from './mark.js';
import type { MoveSource, MoveTarget } from './ends.js';
import { MOVED_TABLES } from './tables.js';

/** Thrown when a move is refused. The message says why and what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

const TABLES = Object.keys(MOVED_TABLES);

/** The triggers that refuse every write on SQLite, whoever makes it. */
const REFUSALS = TABLES.flatMap((table) =>
  ['insert', 'update', 'delete'].map((change) => ({
    trigger: `subrail_moved_${table}_${change}`,
    event: `${change} on ${table}`,
  })),
);

const NOTHING_WRITES_HERE =
  'The records of this database are moved to another one, and nothing may write here any more. Stop this host.';

/**
 * Marks an empty database as the target, so that no host starts on it before the end. Returns the id of the
 * move, or of an interrupted one.
 *
 * @param ofSource the mark of the source, null before anything was frozen
 */
export function claimTarget({ db }: MoveTarget, ofSource: MoveMark | null): Promise<string> {
  return locked(db, async (transaction) => {
    const applied = await appliedInTransaction(transaction);
    const mark = markAmong(applied);
    if (mark?.state === 'moving_here') {
      if (ofSource !== null) return mark.id;
      await requireNoRows(transaction);
      // `writeAsTarget` now refuses a run with the old id.
      await deleteMark(transaction, mark);
    } else {
      if (applied.length > 0 || (await tablesIn(transaction)).length > 0)
        throw new MoveRefused(
          'The database to move to has tables of a service already. Create a new, empty database, and move to that one.',
        );
      // As the migrator makes it.
      await transaction.schema
        .createTable(MIGRATION_TABLE)
        .ifNotExists()
        .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
        .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
        .execute();
    }
    const id = newId();
    await insertMark(transaction, { state: 'moving_here', id });
    return id;
  });
}

/** Refuses the target of a cancelled move: the source may have changed since. */
async function requireNoRows(transaction: Kysely<Database>): Promise<void> {
  for (const table of await tablesIn(transaction)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(transaction);
    if (rows.length > 0)
      throw new MoveRefused(
        'The database to move to has records of a move that was cancelled. Create a new, empty database, and move to that one.',
      );
  }
}

async function tablesIn(transaction: Kysely<Database>): Promise<readonly string[]> {
  return (await transaction.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => TABLES.includes(name));
}

/**
 * Makes the engine refuse every write to the source, and marks it, so that no host starts on it. Does nothing
 * after an interrupted move did so.
 *
 * @param before the mark of the source when the target was claimed
 */
export function freezeSource({ db }: MoveSource, id: string, before: MoveMark | null): Promise<void> {
  return locked(db, async (transaction) => {
    const mark = markAmong(await appliedInTransaction(transaction));
    if (mark !== null) {
      requireSame(mark, id);
      return;
    }
    if (before !== null) throw cancelledMeanwhile();
    for (const { trigger, event } of REFUSALS)
      await sql
        .raw(
          `create trigger ${trigger} before ${event} begin select raise(abort, '${NOTHING_WRITES_HERE}'); end`,
        )
        .execute(transaction);
    await insertMark(transaction, { state: 'moving_away', id });
  });
}

/**
 * Writes to the target in a transaction, which no run opens to hosts meanwhile. Refuses when another run
 * opened the target or began the move anew.
 */
export function writeAsTarget<T>(
  { db, traits }: MoveTarget,
  id: string,
  work: (transaction: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const name = nameOfMark({ state: 'moving_here', id });
  return againAfterConflicts(traits.isConflict, () =>
    db.transaction().execute(async (transaction) => {
      const { rows } =
        await sql`select 1 from ${sql.table(MIGRATION_TABLE)} where name = ${name} for share`.execute(
          transaction,
        );
      if (rows.length === 0)
        throw new MoveRefused(
          'Another run of this move ended it, or began it anew. Nothing was written after that.',
        );
      return work(transaction);
    }),
  );
}

/** Ends the move in the source. It cannot be cancelled any more. */
export function leaveSource({ db }: MoveSource, id: string): Promise<void> {
  return locked(db, async (transaction) => {
    const mark = markAmong(await appliedInTransaction(transaction));
    if (mark === null) throw cancelledMeanwhile();
    requireSame(mark, id);
    await deleteMark(transaction, mark);
    await insertMark(transaction, { state: 'moved_away', id });
  });
}

/** Opens the target to hosts. */
export function openTarget({ db }: MoveTarget, id: string): Promise<void> {
  return locked(db, (transaction) => deleteMark(transaction, { state: 'moving_here', id }));
}

/**
 * Gives up an unfinished move: the source can be used again. The copied records stay in the other database,
 * on which no host starts. Delete it.
 *
 * @throws MoveRefused when the records are not being moved, or their move has ended
 */
export function cancelMove({ db }: MoveSource): Promise<void> {
  return locked(db, async (transaction) => {
    const mark = markAmong(await appliedInTransaction(transaction));
    if (mark === null) throw new MoveRefused('The records of this database are not being moved.');
    if (mark.state === 'moved_away')
      throw new MoveRefused(
        'The move has ended: the records are in the other database, where hosts may have charged.',
      );
    for (const { trigger } of REFUSALS)
      await sql.raw(`drop trigger if exists ${trigger}`).execute(transaction);
    await deleteMark(transaction, mark);
  });
}

function cancelledMeanwhile(): MoveRefused {
  return new MoveRefused(
    'The move was cancelled meanwhile. Use the database as before, and delete the one that the records were moved to.',
  );
}

function requireSame(mark: MoveMark, id: string): void {
  if (mark.id === id) return;
  throw new MoveRefused(
    mark.state === 'moved_away'
      ? 'The records of this database were moved to another one already.'
      : 'The records of this database are being moved to another one already. Run that move again to finish it, or cancel it.',
  );
}

/** Runs a step that excludes migrations and other steps of moves. */
function locked<T>(db: Kysely<Database>, work: (transaction: Kysely<Database>) => Promise<T>): Promise<T> {
  const { adapter } = db.getExecutor();
  const lock = { lockTable: MIGRATION_LOCK_TABLE, lockRowId: 'migration_lock' };
  return db.connection().execute(async (connection) => {
    await adapter.acquireMigrationLock(connection, lock);
    try {
      return await connection.transaction().execute(work);
    } finally {
      await adapter.releaseMigrationLock(connection, lock);
    }
  });
}

async function insertMark(transaction: Kysely<Database>, mark: MoveMark): Promise<void> {
  const values = sql.join([nameOfMark(mark), new Date().toISOString()]);
  await sql`insert into ${sql.table(MIGRATION_TABLE)} (name, timestamp) values (${values})`.execute(
    transaction,
  );
}

async function deleteMark(transaction: Kysely<Database>, mark: MoveMark): Promise<void> {
  await sql`delete from ${sql.table(MIGRATION_TABLE)} where name = ${nameOfMark(mark)}`.execute(transaction);
}

function newId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(8)));
}

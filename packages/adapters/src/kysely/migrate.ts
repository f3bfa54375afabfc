import { Unavailable } from '@subrail/core/ports';
import { Migrator, sql, type Kysely } from 'kysely';
import { toHex } from '../hex.js';
import { pause } from '../pause.js';
import { appliedMigrations, MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from './applied-migrations.js';
import { forEngine, type Migrations } from './migrations/for-engine.js';
import { MIGRATIONS } from './migrations/index.js';
import { schemaIndexes } from './migrations/indexes.js';
import { indexesForLater } from './migrations/online.js';
import { nameOfMark, refuseMoved, type MoveMark } from './move/mark.js';
import type { DialectTraits } from './query/session.js';

/**
 * Thrown when the schema of a database does not match this release: a newer release migrated it, or a migration was
 * edited after it ran. Nothing was changed.
 */
export class SchemaDriftError extends Error {
  override readonly name = 'SchemaDriftError';
}

/** What the migrations must know about a database engine. */
type MigrationTraits = Pick<DialectTraits, 'dialect' | 'textCollation' | 'online'>;

/** The statements of each migration. To its name a hash of them is added, so that a migration edited after it ran is noticed. */
type Fingerprinted = Readonly<Record<string, readonly string[]>>;

/** How often, and with which pause, a run is tried again that could not lock a table: for about two minutes. */
const MOST_TRIES = 30;
const PAUSE_MS = 2_000;

/**
 * Migrates a database to the schema of this release. Call it at every start: it runs only the migrations that are
 * missing. If several callers race, one migrates while the others wait, and all of them succeed. An engine that can
 * roll back schema changes keeps nothing of a migration that fails. Indexes that are built beside running hosts come after the
 * migrations, and are built by a later call when that fails.
 *
 * @param traits what the store must know about this database engine
 * @param migrations the migrations by name, each a list of statements; those of this release when left out
 * @param report hears what takes long: an index that is built, or a table that another transaction keeps locked
 * @throws SchemaDriftError when a newer release migrated the database, a migration was edited after it ran, or one before it is missing
 * @throws MovedDatabaseError when its records were moved to another database, or a move did not end
 * @throws Unavailable when the database cannot serve now, or others kept a table locked
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  traits: MigrationTraits,
  migrations: Migrations = MIGRATIONS,
  report: (sentence: string) => void = () => undefined,
): Promise<void> {
  const fingerprinted = await fingerprint(traits, migrations);
  const applied = await refuseDrift(db, fingerprinted);
  // The usual start: the migrator would look through the whole schema to find the same.
  if (applied.length < Object.keys(fingerprinted).length) {
    const error = await runMissing(db, traits, fingerprinted, applied, report);
    // Another caller may have migrated after the first check and before the lock.
    if (error !== undefined) {
      await refuseDrift(db, fingerprinted);
      // It says what to do, and who opens the database may try again.
      if (error instanceof Unavailable) throw error;
      throw new Error(
        'The database could not be migrated; the cause says why. Nothing was changed if the engine rolls back schema changes.',
        { cause: error },
      );
    }
  }
  await traits.online?.buildIndexes(db, schemaIndexes(migrations), report);
}

/** Migrates a database to which records are moved, and which every host refuses meanwhile. */
export async function migrateTarget<Tables>(
  db: Kysely<Tables>,
  traits: MigrationTraits,
  mark: MoveMark,
): Promise<void> {
  const ofMark = { [nameOfMark(mark)]: [] };
  const { error } = await migrator(db, { ...ofMark, ...(await fingerprint(traits)) }, run).migrateToLatest();
  if (error !== undefined)
    throw new Error('The tables could not be created in the database that the records are moved to.', {
      cause: error,
    });
}

/** Runs the migrations that are missing under a lock, and returns the error of the one that failed. */
async function runMissing<Tables>(
  db: Kysely<Tables>,
  { online }: MigrationTraits,
  migrations: Fingerprinted,
  applied: readonly string[],
  report: (sentence: string) => void,
): Promise<unknown> {
  if (online === null) return (await migrator(db, migrations, run).migrateToLatest()).error;
  const statementsOf = (names: readonly string[]) => names.flatMap((name) => migrations[name] ?? []);
  const later = indexesForLater(statementsOf(applied), statementsOf(missingAmong(migrations, applied)));
  const runner = migrator(db, migrations, async (transaction, statements) => {
    await online.limitWaits(transaction);
    await run(
      transaction,
      statements.filter((statement) => !later.has(statement)),
    );
  });
  for (let tries = 1; ; tries++) {
    const { error } = await runner.migrateToLatest();
    if (!online.gaveWay(error)) return error;
    if (tries === MOST_TRIES)
      return new Unavailable(
        'The database was not migrated, because a table stayed in use by another transaction for two minutes. Nothing was changed. Try again when that transaction has ended.',
        { cause: error },
      );
    if (tries === 1)
      report(
        'A table that a migration changes is in use by a transaction that has taken long, as that of a backup does. The migration is tried again for two minutes.',
      );
    await pause(PAUSE_MS);
  }
}

function migrator<Tables>(
  db: Kysely<Tables>,
  migrations: Fingerprinted,
  up: (db: Kysely<unknown>, statements: readonly string[]) => Promise<void>,
): Migrator {
  const named = Object.entries(migrations).map(
    ([name, statements]) => [name, { up: (db: Kysely<unknown>) => up(db, statements) }] as const,
  );
  return new Migrator({
    db,
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
    // The migrator orders those that ran by the clocks of the machines that ran them. Their order is checked by name before.
    allowUnorderedMigrations: true,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(named)) },
  });
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * The names of the migrations that `migrate` would run on a database now, in their order, or where none is missing of the indexes that
 * it would build, as `index NAME`. Nothing is changed.
 *
 * @throws SchemaDriftError as `migrate` does
 */
export async function pendingMigrations<Tables>(
  db: Kysely<Tables>,
  traits: MigrationTraits,
): Promise<readonly string[]> {
  const fingerprinted = await fingerprint(traits);
  const migrations = missingAmong(fingerprinted, await refuseDrift(db, fingerprinted)).map(plainName);
  if (migrations.length > 0 || traits.online === null) return migrations;
  return (await traits.online.missingIndexes(db, schemaIndexes())).map((name) => `index ${name}`);
}

/**
 * The names of the migrations that a database lacks from which records are moved.
 * @throws SchemaDriftError as `migrate` does
 */
export async function missingInSource(
  applied: readonly string[],
  traits: MigrationTraits,
): Promise<readonly string[]> {
  const fingerprinted = await fingerprint(traits);
  refuseOtherMigrations(applied, fingerprinted);
  return missingAmong(fingerprinted, applied).map(plainName);
}

function missingAmong(migrations: Fingerprinted, applied: readonly string[]): readonly string[] {
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

/** The name of a migration without the hash of its statements. */
function plainName(name: string): string {
  return name.split('#')[0] ?? name;
}

/** The migrations for an engine, each with a hash of its statements in its name. */
export async function fingerprint(
  traits: MigrationTraits,
  migrations: Migrations = MIGRATIONS,
): Promise<Fingerprinted> {
  const named = Object.entries(forEngine(migrations, traits)).map(async ([name, statements]) => {
    const text = new TextEncoder().encode(statements.join(';\n'));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
    return [`${name}#${toHex(hash.subarray(0, 8))}`, statements] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

/** Returns the names of the migrations that ran. Refuses records that are moved, and other migrations than those of this release. */
async function refuseDrift<Tables>(
  db: Kysely<Tables>,
  migrations: Fingerprinted,
): Promise<readonly string[]> {
  const applied = await appliedMigrations(db);
  refuseMoved(applied);
  refuseOtherMigrations(applied, migrations);
  return applied;
}

/** @throws SchemaDriftError when a migration that ran is not of this release, or one before it is missing */
function refuseOtherMigrations(applied: readonly string[], migrations: Fingerprinted): void {
  const known = Object.keys(migrations);
  for (const one of applied) {
    if (known.includes(one)) continue;
    const name = plainName(one);
    throw new SchemaDriftError(
      known.some((one) => one.startsWith(`${name}#`))
        ? `Migration ${name} was edited after it ran on this database. Nothing was changed. ` +
            'Use the release that migrated the database, or restore a backup made with this one.'
        : `The database has migration ${name}, which this release does not know: it was migrated by a newer release. ` +
            'Nothing was changed. Use that release or a later one.',
    );
  }
  const gap = missingAmong(migrations, applied).find((name) => applied.some((one) => one > name));
  if (gap !== undefined)
    throw new SchemaDriftError(
      `The database lacks migration ${plainName(gap)}, but a later one ran. Nothing was changed. Restore a backup.`,
    );
}

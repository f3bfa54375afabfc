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
 * Thrown when the schema of a database is not the one that the migrations of this release make. Nothing was
 * changed.
 */
export class SchemaDriftError extends Error {
  override readonly name = 'SchemaDriftError';
}

type MigrationTraits = Pick<DialectTraits, 'dialect' | 'textCollation' | 'online'>;

/** Statements by migration. Each name ends in a hash of them, which shows a migration that was edited. */
type Fingerprinted = Readonly<Record<string, readonly string[]>>;

/** About two minutes: each try waits two seconds for its lock, and a pause follows. */
const MOST_TRIES = 30;
const PAUSE_MS = 2_000;

/**
 * Migrates a database to the schema of this release. Call it at every start: only missing migrations run. Of
 * several callers one migrates, the others wait, and all succeed. A failed migration is rolled back where the
 * engine can roll back schema changes. Indexes built beside running hosts come last; a later call repeats a
 * failed build.
 *
 * @param migrations the migrations by name. Default: those of this release
 * @param report hears of an index that is built, and of a table that stays locked
 * @throws SchemaDriftError when a newer release migrated the database, a migration was edited, or an earlier
 * one is missing
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
  // Without this check, the migrator would search the whole schema at every start.
  if (applied.length < Object.keys(fingerprinted).length) {
    const error = await runMissing(db, traits, fingerprinted, applied, report);
    // Another caller may have migrated between the check and the lock.
    if (error !== undefined) {
      await refuseDrift(db, fingerprinted);
      if (error instanceof Unavailable) throw error;
      throw new Error(
        'The database could not be migrated; the cause says why. Nothing was changed if the engine rolls back schema changes.',
        { cause: error },
      );
    }
  }
  await traits.online?.buildIndexes(db, schemaIndexes(migrations), report);
}

/** Migrates the target of a move, which every host refuses meanwhile. */
export async function migrateTarget<Tables>(
  db: Kysely<Tables>,
  traits: MigrationTraits,
  mark: MoveMark,
): Promise<void> {
  // The mark is a migration without statements, for which every host refuses the database.
  const migrations = { [nameOfMark(mark)]: [], ...(await fingerprint(traits)) };
  const { error } = await migrator(db, migrations, run).migrateToLatest();
  if (error !== undefined)
    throw new Error('The tables could not be created in the database that the records are moved to.', {
      cause: error,
    });
}

/** Runs the missing migrations under a lock. Returns the error of the one that failed. */
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
    // The migrator orders by the clocks of the machines; the order by name is checked before.
    allowUnorderedMigrations: true,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(named)) },
  });
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * The migrations that `migrate` would run now, in order, or else the indexes it would build, as `index NAME`.
 * Nothing is changed.
 *
 * @throws SchemaDriftError and MovedDatabaseError as `migrate` does
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
 * The migrations that the source of a move lacks.
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

function plainName(name: string): string {
  return name.split('#')[0] ?? name;
}

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

/** Returns the migrations that ran. Refuses moved records, and migrations of another release. */
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
  const ofRelease = Object.keys(migrations);
  const other = applied.find((migration) => !ofRelease.includes(migration));
  if (other !== undefined) {
    const name = plainName(other);
    throw new SchemaDriftError(
      ofRelease.some((migration) => plainName(migration) === name)
        ? `Migration ${name} was edited after it ran on this database. Nothing was changed. ` +
            'Use the release that migrated the database, or restore a backup made with this one.'
        : `The database has migration ${name}, which this release does not know: it was migrated by a newer release. ` +
            'Nothing was changed. Use that release or a later one.',
    );
  }
  const gap = missingAmong(migrations, applied).find((name) => applied.some((migration) => migration > name));
  if (gap !== undefined)
    throw new SchemaDriftError(
      `The database lacks migration ${plainName(gap)}, but a later one ran. Nothing was changed. Restore a backup.`,
    );
}

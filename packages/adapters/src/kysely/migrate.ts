import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import { MIGRATIONS } from './migrations/index.js';
import { withCollation } from './migrations/with-collation.js';
import type { DialectTraits } from './query/session.js';

/**
 * Thrown when the schema of a database does not match this release: a newer release migrated it, or a migration was
 * edited after it ran. Nothing was changed.
 */
export class SchemaDriftError extends Error {
  override readonly name = 'SchemaDriftError';
}

const TABLE = 'subrail_migrations';
const LOCK_TABLE = 'subrail_migrations_lock';

/** What the migrations must know about a database engine. */
type MigrationTraits = Pick<DialectTraits, 'textCollation'>;

/**
 * Migrates a database to the schema of this release. Call it at every start: it runs only the migrations that are
 * missing. If several callers race, one migrates while the others wait, and all of them succeed. An engine that can
 * roll back schema changes keeps nothing of a migration that fails.
 *
 * @param traits what the store must know about this database engine
 * @param migrations the migrations by name, each a list of statements; those of this release when left out
 * @throws SchemaDriftError when a newer release migrated the database, or a migration was edited after it ran
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  traits: MigrationTraits,
  migrations = MIGRATIONS,
): Promise<void> {
  const fingerprinted = await withFingerprints(withCollation(migrations, traits.textCollation));
  const applied = await refuseDrift(db, fingerprinted);
  // The usual start: the migrator would look through the whole schema to find the same.
  if (applied.length === Object.keys(fingerprinted).length) return;
  const migrator = new Migrator({
    db,
    migrationTableName: TABLE,
    migrationLockTableName: LOCK_TABLE,
    provider: { getMigrations: () => Promise.resolve(fingerprinted) },
  });
  const { error } = await migrator.migrateToLatest();
  // Another caller may have migrated after the first check and before the lock.
  if (error !== undefined) {
    await refuseDrift(db, fingerprinted);
    throw new Error(
      'The database could not be migrated; the cause says why. Nothing was changed if the engine rolls back schema changes.',
      { cause: error },
    );
  }
}

/**
 * The names of the migrations that `migrate` would run on a database now, in their order. Nothing is changed.
 *
 * @throws SchemaDriftError as `migrate` does
 */
export async function pendingMigrations<Tables>(
  db: Kysely<Tables>,
  traits: MigrationTraits,
): Promise<readonly string[]> {
  const fingerprinted = await withFingerprints(withCollation(MIGRATIONS, traits.textCollation));
  const applied = await refuseDrift(db, fingerprinted);
  return Object.keys(fingerprinted)
    .filter((name) => !applied.includes(name))
    .map((name) => name.split('#')[0] ?? name);
}

/** Adds a hash of its statements to the name of each migration, so that a migration edited after it ran is noticed. */
async function withFingerprints(
  migrations: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, Migration>> {
  const named = Object.entries(migrations).map(async ([name, statements]) => {
    const text = new TextEncoder().encode(statements.join(';\n'));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 8);
    const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return [`${name}#${hex}`, { up: (db: Kysely<unknown>) => run(db, statements) }] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Returns the names of the migrations that ran. @throws SchemaDriftError when one is not of this release */
async function refuseDrift<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  const known = Object.keys(migrations);
  const applied = await appliedMigrations(db);
  for (const one of applied) {
    if (known.includes(one)) continue;
    const name = one.split('#')[0] ?? one;
    throw new SchemaDriftError(
      known.some((one) => one.startsWith(`${name}#`))
        ? `Migration ${name} was edited after it ran on this database. Nothing was changed. ` +
            'Use the release that migrated the database, or restore a backup made with this one.'
        : `The database has migration ${name}, which this release does not know: it was migrated by a newer release. ` +
            'Nothing was changed. Use that release or a later one.',
    );
  }
  return applied;
}

async function appliedMigrations<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  const names = sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`;
  const read = async () => (await names.execute(db)).rows.map((row) => row.name);
  try {
    return await read();
  } catch {
    // Every engine words it differently that there is no such table, and looking through the schema takes long.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    // If it is there now, either another caller has just created it, or it cannot be read.
    return tables.some((table) => table.name === TABLE) ? read() : [];
  }
}

import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import { MIGRATIONS } from './migrations/index.js';

/** The schema of the database is not the one that this code was written for. */
export class SchemaDriftError extends Error {
  override readonly name = 'SchemaDriftError';
}

const TABLE = 'subrail_migrations';
const LOCK_TABLE = 'subrail_migrations_lock';

/**
 * Brings a database to the schema of this code. Of several callers at once one migrates, the others wait and find it done;
 * a migration that fails leaves nothing where the engine rolls back schema changes. Safe to call at every start.
 *
 * @throws SchemaDriftError when the database was migrated by newer code, or a migration that ran was edited since.
 */
export async function migrate<Tables>(db: Kysely<Tables>, steps = MIGRATIONS): Promise<void> {
  const migrations = await withFingerprints(steps);
  await refuseDrift(db, migrations);
  const migrator = new Migrator({
    db,
    migrationTableName: TABLE,
    migrationLockTableName: LOCK_TABLE,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  // Someone else may have migrated between the look and the lock.
  if (error !== undefined) {
    await refuseDrift(db, migrations);
    throw new Error('The database could not be migrated.', { cause: error });
  }
}

/** Each migration's name carries a hash of its text, so that the record of what ran tells an edited one from the original. */
async function withFingerprints(
  steps: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, Migration>> {
  const named = Object.entries(steps).map(async ([name, statements]) => {
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

async function refuseDrift<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const known = Object.keys(migrations);
  for (const ran of await namesOfRan(db)) {
    if (known.includes(ran)) continue;
    const name = ran.split('#')[0] ?? ran;
    throw new SchemaDriftError(
      known.some((one) => one.startsWith(`${name}#`))
        ? `Migration ${name} was edited after it ran on this database: nothing was changed. ` +
            'Use the release that made the database, or restore a backup made by this one.'
        : `The database has migration ${name}, which this release does not know: it was made by a newer one. ` +
            'Nothing was changed. Use that release, or a later one.',
    );
  }
}

async function namesOfRan<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(
    db,
  );
  return rows.map((row) => row.name);
}

import { sql, type Kysely } from 'kysely';

export const MIGRATION_TABLE = 'subrail_migrations';
export const MIGRATION_LOCK_TABLE = 'subrail_migrations_lock';

/** The names in the table of migrations: each migration that ran, and the mark of a move. */
export async function appliedMigrations<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  try {
    return await namesIn(db);
  } catch {
    // Engines word a missing table differently, and asking the catalogue each time is slow. A table that is
    // there now was either created meanwhile, or cannot be read.
    return (await hasTable(db, MIGRATION_TABLE)) ? namesIn(db) : [];
  }
}

/** `appliedMigrations` within a transaction, which a failing statement would end. */
export async function appliedInTransaction<Tables>(transaction: Kysely<Tables>): Promise<readonly string[]> {
  return (await hasTable(transaction, MIGRATION_TABLE)) ? namesIn(transaction) : [];
}

async function namesIn<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  const names = sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`;
  return (await names.execute(db)).rows.map((row) => row.name);
}

async function hasTable<Tables>(db: Kysely<Tables>, name: string): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some((table) => table.name === name);
}

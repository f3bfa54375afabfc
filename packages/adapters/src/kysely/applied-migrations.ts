import { sql, type Kysely } from 'kysely';

/** The table that has a row for each migration that ran. */
export const MIGRATION_TABLE = 'subrail_migrations';
export const MIGRATION_LOCK_TABLE = 'subrail_migrations_lock';

/** The names of the rows in the table of migrations: of each migration that ran, and of a move of the records. */
export async function appliedMigrations<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  try {
    return await namesIn(db);
  } catch {
    // Every engine words it differently that there is no such table, and looking through the schema takes long. If it is there now,
    // either another caller has just created it, or it cannot be read.
    return (await hasTable(db, MIGRATION_TABLE)) ? namesIn(db) : [];
  }
}

/** The same within a transaction, which a statement that fails would end. */
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

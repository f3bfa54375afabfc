import SqliteFile from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { migrate, type Database } from '../kysely/index.js';
import { refillDates } from '../kysely/migrations/0001-subscription-dates.js';
import { refuseSchemaDrift, type SchemaObject } from '../kysely/schema-drift.js';
import { SqliteDialect } from './dialect.js';
import { sqliteTraits } from '../kysely/engines/sqlite.js';

/** The schema of the migrations, once it was asked for. */
let expected: readonly SchemaObject[] | null = null;

/**
 * Compares the tables, indexes and triggers of a database with those that the migrations make.
 *
 * @throws SchemaDriftError when one is missing or was changed
 */
export async function refuseChangedSchema(db: Kysely<Database>): Promise<void> {
  expected ??= await describeMigrated();
  refuseSchemaDrift(await describeSchema(db), expected);
}

async function describeMigrated(): Promise<readonly SchemaObject[]> {
  const dialect = new SqliteDialect(new SqliteFile(':memory:'), 0);
  const db = new Kysely<Database>({ dialect });
  try {
    await migrate(db, sqliteTraits);
    return await describeSchema(db);
  } finally {
    await dialect.close();
  }
}

/** The tables, indexes and triggers, without those of SQLite and the migrator. */
async function describeSchema(db: Kysely<Database>): Promise<readonly SchemaObject[]> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema
    where type in ('table', 'index', 'trigger') and sql is not null and name not like 'subrail\\_%' escape '\\'
    order by type desc, name`.execute(db);
  return rows.map(({ type, name, sql }) => ({
    name,
    definition: plainText(sql),
    restore: restoreOf(type, name, sql),
  }));
}

function restoreOf(type: string, name: string, made: string): readonly string[] | null {
  if (type === 'table') return null;
  const again = [`drop ${type} if exists ${name}`, made];
  return type === 'trigger' ? [...again, ...refillDates] : again;
}

/** SQLite keeps the text of statements, and edits it at a rename; quotes and spaces differ by version. */
function plainText(statement: string): string {
  return statement
    .replaceAll(/["`[\]]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .toLowerCase();
}

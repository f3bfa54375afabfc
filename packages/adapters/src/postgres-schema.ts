import { sql, type Kysely } from 'kysely';
import type { Database } from './kysely/index.js';
import { schemaIndexes } from './kysely/migrations/indexes.js';
import { refuseSchemaDrift, type SchemaObject } from './kysely/schema.js';

/**
 * Looks whether a migrated PostgreSQL database has every index that the migrations made, and whether each still guards what it
 * should: PostgreSQL leaves one that could not be built behind, marked as not valid.
 *
 * @throws SchemaDriftError when one is missing, is not valid, or is no longer unique, of its table or of a part of it
 */
export async function refuseChangedSchema(db: Kysely<Database>): Promise<void> {
  refuseSchemaDrift(await indexesOf(db), expectedIndexes());
}

function expectedIndexes(): readonly SchemaObject[] {
  return schemaIndexes().map(({ name, table, create }) => ({
    name,
    definition: definitionOf({
      table,
      isUnique: create.startsWith('create unique'),
      isPartial: /\swhere\s/.test(create),
      isValid: true,
    }),
    restore: create.replace(' if not exists', ''),
  }));
}

async function indexesOf(db: Kysely<Database>): Promise<readonly SchemaObject[]> {
  const { rows } = await sql<IndexRow & { name: string }>`
    select entry.relname as name, owner.relname as "table", indisunique as "isUnique", indpred is not null as "isPartial",
      indisvalid as "isValid"
    from pg_index
    join pg_class as entry on entry.oid = indexrelid
    join pg_class as owner on owner.oid = indrelid
    where pg_table_is_visible(owner.oid) and owner.relkind = 'r'`.execute(db);
  return rows.map((row) => ({ name: row.name, definition: definitionOf(row), restore: null }));
}

interface IndexRow {
  readonly table: string;
  readonly isUnique: boolean;
  readonly isPartial: boolean;
  readonly isValid: boolean;
}

function definitionOf({ table, isUnique, isPartial, isValid }: IndexRow): string {
  return [table, isUnique && 'unique', isPartial && 'partial', !isValid && 'not valid']
    .filter(Boolean)
    .join(', ');
}

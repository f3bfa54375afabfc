import { sql, type Kysely } from 'kysely';
import type { Database } from './kysely/index.js';
import { refillDates } from './kysely/migrations/0025-subscription-dates.js';
import { MIGRATIONS } from './kysely/migrations/index.js';
import { schemaIndexes } from './kysely/migrations/indexes.js';
import { refuseSchemaDrift, type SchemaObject } from './kysely/schema.js';

/**
 * Looks whether a migrated PostgreSQL database has every index and trigger that the migrations made, and whether each still does what
 * it should: PostgreSQL leaves an index that could not be built behind, marked as not valid.
 *
 * @throws SchemaDriftError when one is missing, an index is not valid or is no longer unique, of its table or of a part of it, or a
 * trigger is disabled
 */
export async function refuseChangedSchema(db: Kysely<Database>): Promise<void> {
  const actual = [...(await indexesOf(db)), ...(await triggersOf(db))];
  refuseSchemaDrift(actual, [...expectedIndexes(), ...expectedTriggers()]);
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
    restore: [`drop index if exists ${name}`, create.replace(' if not exists', '')],
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

function expectedTriggers(): readonly SchemaObject[] {
  const statements = Object.values(MIGRATIONS)
    .flat()
    .flatMap((step) => (typeof step === 'string' ? [] : step.postgres));
  const functions = statements.filter((statement) => statement.startsWith('create or replace function '));
  return statements.flatMap((statement) => {
    const [, name, event, table, runs] =
      /^create trigger (\w+) after (\w+)\b.*? on (\w+) .*execute function (\w+)/s.exec(statement) ?? [];
    const made = functions.find((one) => one.includes(` ${runs}() `));
    if (name === undefined || event === undefined || table === undefined || made === undefined) return [];
    const [, body = ''] = /\$\$(.*)\$\$/s.exec(made) ?? [];
    const again = [made, `drop trigger if exists ${name} on ${table}`, statement];
    if (table === 'subscriptions') again.push(...refillDates);
    return [{ name, definition: triggerOf({ table, event, body, isEnabled: true }), restore: again }];
  });
}

interface TriggerRow {
  readonly table: string;
  readonly event: string;
  /** The text of the function that it executes. */
  readonly body: string;
  readonly isEnabled: boolean;
}

/** The triggers that run after each row that is written. The bits of `tgtype` say so: 1 for a row, and 4, 8 and 16 for the event. */
async function triggersOf(db: Kysely<Database>): Promise<readonly SchemaObject[]> {
  const { rows } = await sql<TriggerRow & { name: string }>`
    select tgname as name, relname as "table", prosrc as body, tgenabled in ('O', 'A') as "isEnabled",
      case tgtype when 5 then 'insert' when 9 then 'delete' when 17 then 'update' else 'other' end as event
    from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    join pg_proc on pg_proc.oid = tgfoid
    where pg_table_is_visible(tgrelid) and not tgisinternal`.execute(db);
  return rows.map((row) => ({ name: row.name, definition: triggerOf(row), restore: null }));
}

function triggerOf({ table, event, body, isEnabled }: TriggerRow): string {
  return [table, event, body, !isEnabled && 'disabled'].filter(Boolean).join(', ');
}

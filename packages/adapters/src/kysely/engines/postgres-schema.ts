import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables/database.js';
import { refillDates } from '../migrations/0001-subscription-dates.js';
import { forEngine } from '../migrations/for-engine.js';
import { MIGRATIONS } from '../migrations/index.js';
import { schemaIndexes } from '../migrations/indexes.js';
import { schemaTables } from '../migrations/tables.js';
import { refuseSchemaDrift, type SchemaObject } from '../schema-drift.js';
import { postgresTraits } from './postgres.js';

/**
 * Compares the tables, columns, keys, indexes and triggers of a migrated database with those of the
 * migrations. PostgreSQL rewrites definitions, and leaves an index that it could not build as invalid.
 *
 * @throws SchemaDriftError when one is missing or differs, an index is invalid, or a trigger is disabled
 */
export async function refuseChangedSchema(db: Kysely<Database>): Promise<void> {
  const columns = await columnsOf(db);
  const tables = new Set(columns.map(({ table }) => table));
  const actual = [
    ...[...tables].map(describeTable),
    ...columns.map(describeColumn),
    ...(await keysOf(db)).map(describeKey),
    ...(await indexesOf(db)),
    ...(await triggersOf(db)),
  ];
  refuseSchemaDrift(actual, [...expectedTables(tables), ...expectedIndexes(), ...expectedTriggers()]);
}

/** The columns and keys of the tables that exist, and the tables that are missing. */
function expectedTables(existing: ReadonlySet<string>): readonly SchemaObject[] {
  const statements = Object.values(forEngine(MIGRATIONS, postgresTraits)).flat();
  return schemaTables(statements).flatMap(({ name: table, columns, keys }) =>
    existing.has(table)
      ? [
          ...columns.map(({ name, definition }) => describeColumn({ table, name, definition })),
          ...keys.map((key) => describeKey({ table, definition: plainText(key) })),
        ]
      : [describeTable(table)],
  );
}

type ActualObject = Omit<SchemaObject, 'restore'>;

function describeTable(table: string): SchemaObject {
  return { name: `the table ${table}`, definition: '', restore: null };
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

function describeColumn({ table, name, definition }: Column): SchemaObject {
  return { name: `${table}.${name}`, definition, restore: null };
}

interface Key {
  readonly table: string;
  readonly definition: string;
}

/** A key, named by its definition: the engine chooses the names of keys. */
function describeKey({ table, definition }: Key): SchemaObject {
  const restore = definition.startsWith('primary key') ? null : [`alter table ${table} add ${definition}`];
  return { name: `the ${definition} of ${table}`, definition: '', restore };
}

async function columnsOf(db: Kysely<Database>): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`
    select relname as "table", attname as name, concat_ws(' ', format_type(atttypid, atttypmod), 'collate "' || collname || '"',
      case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid)) as definition
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    left join pg_collation on pg_collation.oid = attcollation
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and ${isVisibleTable('pg_class')}`.execute(db);
  return rows;
}

async function keysOf(db: Kysely<Database>): Promise<readonly Key[]> {
  const { rows } = await sql<Key>`
    select relname as "table", pg_get_constraintdef(pg_constraint.oid, true) as definition
    from pg_constraint
    join pg_class on pg_class.oid = conrelid
    where contype in ('p', 'f') and ${isVisibleTable('pg_class')}`.execute(db);
  return rows.map(({ table, definition }) => ({ table, definition: plainText(definition) }));
}

/** The condition that a row of `pg_class` is a table of the search path, and not of the catalogue. */
function isVisibleTable(alias: string) {
  return sql.raw(
    `${alias}.relkind = 'r' and ${alias}.relnamespace <> 'pg_catalog'::regnamespace and pg_table_is_visible(${alias}.oid)`,
  );
}

function expectedIndexes(): readonly SchemaObject[] {
  return schemaIndexes().map(({ name, create }) => {
    const statement = create.replace(' if not exists', '');
    return {
      name,
      definition: plainText(statement),
      restore: [`drop index if exists ${name}`, statement],
    };
  });
}

async function indexesOf(db: Kysely<Database>): Promise<readonly ActualObject[]> {
  const { rows } = await sql<{ name: string; created: string; isValid: boolean }>`
    select entry.relname as name, pg_get_indexdef(indexrelid, 0, true) as created, indisvalid as "isValid"
    from pg_index
    join pg_class as entry on entry.oid = indexrelid
    join pg_class as indexed on indexed.oid = indrelid
    where ${isVisibleTable('indexed')}`.execute(db);
  return rows.map(({ name, created, isValid }) => ({
    name,
    definition: isValid ? plainText(created) : 'not valid',
  }));
}

/**
 * Rewrites a definition of PostgreSQL as the migrations write it. PostgreSQL capitalizes keywords, quotes
 * names that are keywords, adds types to constants, and makes lists arrays. Fill factors are left to the
 * operator.
 */
function plainText(definition: string): string {
  return definition
    .replace(/ USING btree/, '')
    .replace(/ WITH \([^)]*\)/, '')
    .replaceAll(/"([a-z_]+)"/g, '$1')
    .replaceAll(/(?<=['\d])::(text|bigint)\b/g, '')
    .replaceAll(/\(?(\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)?/g, '$1 in ($2)')
    .replaceAll(/'[^']*'|[A-Z]+/g, (part) => (part.startsWith("'") ? part : part.toLowerCase()))
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<= references \w+)\(/, ' (');
}

function expectedTriggers(): readonly SchemaObject[] {
  const statements = Object.values(MIGRATIONS)
    .flat()
    .flatMap((step) => (typeof step === 'string' ? [] : step.postgres));
  const functions = statements.filter((statement) => statement.startsWith('create or replace function '));
  return statements.flatMap((statement) => {
    const [, name, table, functionName] =
      /^create trigger (\w+) .*? on (\w+) .*execute function (\w+)/s.exec(statement) ?? [];
    const createFunction = functions.find((create) => create.includes(` ${functionName}() `));
    if (name === undefined || table === undefined || createFunction === undefined) return [];
    const [, body = ''] = /\$\$(.*)\$\$/s.exec(createFunction) ?? [];
    const restore = [createFunction, `drop trigger if exists ${name} on ${table}`, statement];
    if (table === 'subscriptions') restore.push(...refillDates);
    return [{ name, definition: triggerDefinition({ created: statement, body, isEnabled: true }), restore }];
  });
}

interface Trigger {
  readonly created: string;
  readonly body: string;
  readonly isEnabled: boolean;
}

async function triggersOf(db: Kysely<Database>): Promise<readonly ActualObject[]> {
  const { rows } = await sql<Trigger & { name: string }>`
    select tgname as name, pg_get_triggerdef(pg_trigger.oid, true) as created, prosrc as body,
      tgenabled in ('O', 'A') as "isEnabled"
    from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    where pg_table_is_visible(tgrelid) and not tgisinternal`.execute(db);
  return rows.map((row) => ({ name: row.name, definition: triggerDefinition(row) }));
}

function triggerDefinition({ created, body, isEnabled }: Trigger): string {
  return [plainText(created), body, !isEnabled && 'disabled'].filter(Boolean).join(', ');
}

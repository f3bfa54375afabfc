import type { Migrations } from './for-engine.js';
import { MIGRATIONS } from './index.js';

export interface SchemaIndex {
  readonly name: string;
  readonly table: string;
  /** The statement that creates it, if it is missing. */
  readonly create: string;
}

/** The indexes of the schema in the order of their creation, without those of primary keys. */
export function schemaIndexes(migrations: Migrations = MIGRATIONS): readonly SchemaIndex[] {
  const indexes = new Map<string, SchemaIndex>();
  for (const statement of Object.values(migrations).flat()) {
    // Statements of one engine create no index.
    if (typeof statement !== 'string') continue;
    const dropped = droppedIndex(statement);
    if (dropped !== null) indexes.delete(dropped);
    const created = createdIndex(statement);
    if (created !== null) indexes.set(created.name, created);
  }
  return [...indexes.values()];
}

export function createdIndex(statement: string): SchemaIndex | null {
  const [, unique = '', name, table] = /^create (unique )?index (\w+) on (\w+)/.exec(statement) ?? [];
  if (name === undefined || table === undefined) return null;
  const create = statement.replace(/^create (unique )?index/, `create ${unique}index if not exists`);
  return { name, table, create };
}

export function droppedIndex(statement: string): string | null {
  return /^drop index (?:if exists )?(\w+)/.exec(statement)?.[1] ?? null;
}

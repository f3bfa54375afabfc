import type { Migrations } from './for-engine.js';
import { MIGRATIONS } from './index.js';

/** An index that the migrations leave in the schema. */
export interface SchemaIndex {
  readonly name: string;
  readonly table: string;
  /** The statement that creates it, unless it is there. */
  readonly create: string;
}

/** The indexes of the schema of this release, in the order in which the migrations create them. Those of primary keys are left out. */
export function schemaIndexes(migrations: Migrations = MIGRATIONS): readonly SchemaIndex[] {
  const indexes = new Map<string, SchemaIndex>();
  for (const statement of Object.values(migrations).flat()) {
    // Every engine runs the statements of indexes.
    if (typeof statement !== 'string') continue;
    const dropped = droppedIndex(statement);
    if (dropped !== null) indexes.delete(dropped);
    const created = createdIndex(statement);
    if (created !== null) indexes.set(created.name, created);
  }
  return [...indexes.values()];
}

/** The index that a statement creates; null when it creates none. */
export function createdIndex(statement: string): SchemaIndex | null {
  const [, unique = '', name, table] = /^create (unique )?index (\w+) on (\w+)/.exec(statement) ?? [];
  if (name === undefined || table === undefined) return null;
  const create = statement.replace(/^create (unique )?index/, `create ${unique}index if not exists`);
  return { name, table, create };
}

/** The name of the index that a statement drops; null when it drops none. */
export function droppedIndex(statement: string): string | null {
  return /^drop index (?:if exists )?(\w+)/.exec(statement)?.[1] ?? null;
}

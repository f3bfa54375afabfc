import { MIGRATIONS } from './index.js';

/** An index that the migrations leave in the schema. */
export interface SchemaIndex {
  readonly name: string;
  readonly table: string;
  /** The statement that creates it, unless it is there. */
  readonly create: string;
}

/** The indexes of the schema of this release, in the order in which the migrations create them. Those of primary keys are left out. */
export function schemaIndexes(migrations = MIGRATIONS): readonly SchemaIndex[] {
  const indexes = new Map<string, SchemaIndex>();
  for (const statement of Object.values(migrations).flat()) {
    const [, unique = '', name, table] = /^create (unique )?index (\w+) on (\w+)/.exec(statement) ?? [];
    const [, dropped] = /^drop index (\w+)/.exec(statement) ?? [];
    if (dropped !== undefined) indexes.delete(dropped);
    if (name === undefined || table === undefined) continue;
    const create = statement.replace(/^create (unique )?index/, `create ${unique}index if not exists`);
    indexes.set(name, { name, table, create });
  }
  return [...indexes.values()];
}

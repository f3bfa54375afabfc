import type { FullStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import { appliedMigrations } from '../../applied-migrations.js';
import { markAmong } from '../mark.js';
import type { MoveSource, MoveTarget } from '../ends.js';
import { MOVED_TABLES } from '../tables.js';
import type { Place } from './place.js';

/** Whether a database has a schema and a host would start on it. */
export async function inUse({ db }: MoveSource | MoveTarget): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return applied.length > 0 && markAmong(applied) === null;
}

/** Opens a place as a host does, for some work. */
export async function withStore<T>(
  place: Place<unknown>,
  work: (store: FullStore) => Promise<T>,
): Promise<T> {
  const { store, close } = await place.openStore();
  try {
    return await work(store);
  } finally {
    await close();
  }
}

/** Opens a place as a move does, for some work. */
export async function withMovable<T, End extends MoveSource | MoveTarget>(
  place: Place<End>,
  work: (end: End) => Promise<T>,
): Promise<T> {
  const end = await place.openMovable();
  try {
    return await work(end);
  } finally {
    await end.close();
  }
}

/** Every row of every table, with its columns in one order. */
export async function rowsOf({ db }: MoveSource | MoveTarget): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(MOVED_TABLES).map(async ([table, { key }]) => {
    const order = sql.join(key.map((column) => sql.ref(column)));
    const { rows } = await sql<object>`select * from ${sql.table(table)} order by ${order}`.execute(db);
    const sorted = rows.map((row) => Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
    return [table, sorted] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

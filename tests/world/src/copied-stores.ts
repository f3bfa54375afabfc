import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type MemoryStore } from '@subrail/adapters/memory';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { FullStore } from '@subrail/core/ports';

export interface TestStore {
  readonly store: FullStore;
  readonly close: () => Promise<void>;
}

/** What a store held when it was kept: the store itself in memory, the bytes of its file on SQLite. */
export type KeptStore = MemoryStore | Uint8Array;

/** The path of a store whose data goes when it is closed. */
export const IN_MEMORY = ':memory:';

/** Lets `act` write to a copy of another store, or to an empty one, and keeps what the store then holds. */
export async function keepStore<Result>(
  kind: 'memory' | 'sqlite',
  before: KeptStore | null,
  act: (store: FullStore) => Promise<Result>,
): Promise<{ readonly result: Result; readonly store: KeptStore }> {
  if (kind === 'memory') {
    const store = await copyMemoryStore(before as MemoryStore | null);
    return { result: await act(store), store };
  }
  const folder = await mkdtemp(join(tmpdir(), 'subrail-kept-'));
  try {
    const path = join(folder, 'store');
    const { store, close } = await openCopy(before, path);
    const result = await act(store);
    await close();
    return { result, store: await readFile(path) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens a copy of a kept store. Nothing that happens in one copy reaches another. */
export async function openCopy(kept: KeptStore | null, path = IN_MEMORY): Promise<TestStore> {
  if (kept !== null && !(kept instanceof Uint8Array))
    return { store: await copyMemoryStore(kept), close: () => Promise.resolve() };
  if (kept !== null && path !== IN_MEMORY) await writeFile(path, kept);
  return openSqliteStore({ path, ...(kept === null || path !== IN_MEMORY ? {} : { contents: kept }) });
}

interface AnyTable {
  all(): unknown[];
  put(rows: unknown[]): unknown;
}

/** The tables of a store in memory, by name. */
export function tablesOf({ tables }: MemoryStore): readonly (readonly [name: string, table: AnyTable])[] {
  return Object.entries(tables) as unknown as readonly [string, AnyTable][];
}

/** A copy shares the records with its original, because the store never changes one in place. */
export async function copyMemoryStore(original: MemoryStore | null): Promise<MemoryStore> {
  const copy = createMemoryStore();
  const rows = new Map(
    original === null ? [] : tablesOf(original).map(([name, table]) => [name, table.all()]),
  );
  for (const [name, table] of tablesOf(copy)) table.put(rows.get(name) ?? []);
  // What was put could be undone until the next transaction has ended.
  await copy.transaction(() => Promise.resolve());
  return copy;
}

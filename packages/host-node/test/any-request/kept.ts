import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type MemoryStore } from '@subrail/adapters/memory';

import type { Kept, Rows } from './served.js';
import { buildStage } from './stage.js';

type Tables = MemoryStore['tables'];
type AnyTable = { all(): unknown[]; put(rows: unknown[]): unknown };

function tablesOf(tables: Tables): [string, AnyTable][] {
  return Object.entries(tables) as unknown as [string, AnyTable][];
}

/** Builds the stage over the memory store and keeps it. `forget` removes what it wrote. */
export async function keepInMemory(): Promise<Kept & { forget(): Promise<void> }> {
  const built = createMemoryStore();
  const stage = await buildStage(built);
  await stage.world.close();
  const folder = await mkdtemp(join(tmpdir(), 'subrail-stage-'));
  const chainFile = join(folder, 'chain');
  await stage.world.chain.save(chainFile);
  const rows = tablesOf(built.tables).map(([name, table]) => [name, table.all()] as const);

  async function openRows(): Promise<Rows> {
    const store = createMemoryStore();
    const tables = tablesOf(store.tables);
    for (const [name, table] of tables) table.put(rows.find(([kept]) => kept === name)?.[1] ?? []);
    return {
      store,
      all: () => tables.flatMap(([name, table]) => (name === 'apiKeys' ? [] : table.all())),
      close: () => Promise.resolve(),
    };
  }
  return { stage, chainFile, openRows, forget: () => rm(folder, { recursive: true }) };
}

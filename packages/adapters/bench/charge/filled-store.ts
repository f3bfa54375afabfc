import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullStore } from '@subrail/core/ports';
import { aCommit, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import { emptyDatabase } from '@subrail/test-postgres';
import { openPostgresStore } from '../../src/postgres/index.js';
import { openSqliteStore } from '../../src/sqlite/index.js';
import { startBenchServer } from './bench-server.js';

const INSERTED_AT_ONCE = 1_000;

export interface OpenStore {
  readonly store: FullStore;
  readonly close: () => Promise<void>;
}

/** Opens a store in a new SQLite file, which closing it removes. */
export async function openSqlite(): Promise<OpenStore> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-bench-'));
  const { store, close } = await openSqliteStore({ path: join(folder, 'billing.db') });
  return {
    store,
    close: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a server on this machine, and returns what opens a store in a new database of it. */
export async function startPostgresServer() {
  const server = await startBenchServer();
  const open = async (): Promise<OpenStore> => {
    const database = await emptyDatabase(server.url);
    const { store, close } = await openPostgresStore({ url: database.url });
    return {
      store,
      close: async () => {
        await close();
        await database.drop();
      },
    };
  };
  return { open, remove: () => server.remove() };
}

/**
 * Inserts subscriptions to one plan, all due for their second period at one instant. None stays in memory,
 * so the memory of the process is the service's.
 */
export async function fill(store: FullStore, count: number): Promise<void> {
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  for (let inserted = 0; inserted < count; inserted += INSERTED_AT_ONCE) {
    const length = Math.min(INSERTED_AT_ONCE, count - inserted);
    const batch = Array.from({ length }, () => aSubscription({ projectId: project.id, planId: plan.id }));
    await store.commit(batch.map((subscription) => aCommit(subscription)));
  }
}

/** The load averages of the machine, for the print of a bench. */
export function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
}

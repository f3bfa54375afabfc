import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { openService } from '../service/open-service.js';
import { StateError } from '../state/state-error.js';
import { ensureDemoProject } from './demo-project.js';
import { openLocalEnvironment, type LocalEnvironment } from './local-environment.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-local-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const config = () => readConfig({ SUBRAIL_PORT: '0' }, folder);

/** Opens the environment, calls `act` with it, and closes it. */
async function withEnvironment<T>(act: (local: LocalEnvironment) => T | Promise<T>): Promise<T> {
  const local = await openLocalEnvironment(config(), SILENT);
  try {
    return await act(local);
  } finally {
    await local.close();
  }
}

test('continues the chain’s time while it is closed, so that the time is never earlier than before', async () => {
  const before = await withEnvironment(({ chain, clock }) => {
    chain.localnet.advance({ seconds: 86_400 });
    return clock.now();
  });
  const after = await withEnvironment(({ clock }) => clock.now());
  expect(after.getTime()).toBeGreaterThanOrEqual(before.getTime());
});

test('completes a demo project that was left unfinished, and creates it only once', async () => {
  async function create(after: 'keep the key' | 'delete the key') {
    const local = await openLocalEnvironment(config(), SILENT);
    const service = await openService(config(), local, SILENT);
    const project = await ensureDemoProject({
      billing: service.billing,
      rpc: local.developmentRpc,
      keys: local.keys,
      folder: join(folder, '.subrail'),
    });
    const plans = await service.billing.project(project.projectId).plans.list();
    const projects = await service.billing.projects.list();
    await service.close();
    if (after === 'delete the key') rmSync(join(folder, '.subrail', 'api-key'));
    return { project, plans: plans.plans.length, projects: projects.length };
  }
  const first = await create('delete the key');
  const second = await create('keep the key');
  const third = await create('keep the key');
  expect([first, second, third].map(({ plans, projects }) => [plans, projects])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(second.project.projectId).toBe(first.project.projectId);
  expect(second.project.apiKey).not.toBe(first.project.apiKey);
  expect(third.project.apiKey).toBe(second.project.apiKey);
});

test('creates the demo project again when only the database is gone, with a key that the new database knows', async () => {
  async function create() {
    const local = await openLocalEnvironment(config(), SILENT);
    const service = await openService(config(), local, SILENT);
    const { apiKey } = await ensureDemoProject({
      billing: service.billing,
      rpc: local.developmentRpc,
      keys: local.keys,
      folder: config().dataDir,
    });
    const headers = { authorization: `Bearer ${apiKey}` };
    const { status } = await fetch(`${service.url}/v1/plans`, { headers });
    await service.close();
    return { apiKey, status };
  }
  const first = await create();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${config().database}${suffix}`, { force: true });
  const second = await create();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.apiKey).not.toBe(first.apiKey);
  expect((await create()).apiKey).toBe(second.apiKey);
});

test('refuses a database whose chain is missing, and names the missing file', async () => {
  const local = await openLocalEnvironment(config(), SILENT);
  await (await openService(config(), local, SILENT)).close();
  rmSync(join(folder, '.subrail', 'chain'));
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(StateError);
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(
    /^The database .* belongs to a local chain, but the chain's file .*chain is missing\./,
  );
});

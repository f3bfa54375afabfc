import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Billing } from '@subrail/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { openService, type OpenService } from '../service/open-service.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { createKeyFile } from '../state/signer-file.js';
import { StateError } from '../state/state-error.js';
import { ensureDemoProject, type DemoProject } from './demo-project.js';
import { openLocalEnvironment, type LocalEnvironment } from './local-environment.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-local-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const config = () => readConfig({ SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' }, folder);

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

/**
 * Starts the service, calls `act`, and stops, whatever fails: an open chain writes its file, and its folder
 * could not be removed.
 */
async function withService<T>(
  act: (service: OpenService, local: LocalEnvironment) => T | Promise<T>,
): Promise<T> {
  const local = await openLocalEnvironment(config(), SILENT);
  const service = await openService(config(), local, SILENT).catch(async (error: unknown) => {
    await local.close();
    throw error;
  });
  try {
    return await act(service, local);
  } finally {
    await service.close();
  }
}

const demoProject = (billing: Billing, { developmentRpc: rpc, keys }: LocalEnvironment) =>
  ensureDemoProject({ billing, rpc, keys, folder: config().dataDir });

/** Starts the service, makes sure of the demo project, calls `act`, and stops. */
const withDemoProject = <T>(act: (project: DemoProject, service: OpenService) => T | Promise<T>) =>
  withService(async (service, local) => act(await demoProject(service.billing, local), service));

/** The demo project, its key, and the number of plans and projects after a start. */
const stateAfterStart = () =>
  withDemoProject(async ({ projectId, apiKey }, { billing }) => {
    const { plans } = await billing.project(projectId).plans.list();
    return { projectId, apiKey, plans: plans.length, projects: (await billing.projects.list()).length };
  });

test('completes a demo project that was left unfinished, and creates it only once', async () => {
  const first = await stateAfterStart();
  rmSync(join(config().dataDir, 'api-key'));
  const second = await stateAfterStart();
  expect(second).toMatchObject({ projectId: first.projectId, plans: 1, projects: 1 });
  expect(second.apiKey).not.toBe(first.apiKey);
  expect(await stateAfterStart()).toEqual(second);
});

test('finds the demo project again when the host was killed before it stored the id', async () => {
  const projectId = await withService(async ({ billing }, local) => {
    const { projects } = billing;
    const killed = {
      ...billing,
      projects: {
        ...projects,
        async create(input: Parameters<typeof projects.create>[0]) {
          await projects.create(input);
          throw new Error('killed');
        },
      },
    };
    await expect(demoProject(killed, local)).rejects.toThrow('killed');
    const [created, ...others] = await projects.list();
    expect(others).toEqual([]);
    return created?.id;
  });
  expect(await stateAfterStart()).toMatchObject({ projectId, plans: 1, projects: 1 });
});

test('never takes a project of the user for the demo project', async () => {
  const demo = await withDemoProject(async (project, { billing }) => {
    const { id } = await billing.projects.create({ name: 'Shop', tier: 'free' });
    return { ...project, shop: id };
  });
  await withDemoProject(async (project, { billing }) => {
    expect(project).toMatchObject({ projectId: demo.projectId, apiKey: demo.apiKey });
    expect((await billing.project(demo.shop).plans.list()).plans).toEqual([]);
  });
});

test('gives the demo project another key when the stored one belongs to a project of the user', async () => {
  const { projectId } = await withDemoProject(async (project, { billing }) => {
    const shop = await billing.projects.create({ name: 'Shop' });
    const { key } = await billing.project(shop.id).keys.create();
    writeFileSync(join(config().dataDir, 'api-key'), key);
    return project;
  });
  await withDemoProject(async (project, { url }) => {
    const headers = { authorization: `Bearer ${project.apiKey}` };
    expect(await (await fetch(`${url}/v1/project`, { headers })).json()).toMatchObject({ id: projectId });
  });
});

test('creates the demo project again when only the database is gone, with a key that the new database knows', async () => {
  const create = () =>
    withDemoProject(async ({ apiKey }, { url }) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      return { apiKey, status: (await fetch(`${url}/v1/plans`, { headers })).status };
    });
  const first = await create();
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(`${join(folder, '.subrail', 'subrail.sqlite')}${suffix}`, { force: true });
  const second = await create();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.apiKey).not.toBe(first.apiKey);
  expect((await create()).apiKey).toBe(second.apiKey);
});

// starting#folder-of-a-local-chain
test('refuses a database whose chain is missing, and says what to do whatever network it is of', async () => {
  await withService(() => undefined);
  rmSync(join(folder, '.subrail', 'chain'));
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(StateError);
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(
    /^There is a database .*subrail\.sqlite, but no local chain that it could belong to: the file .*chain is missing\. If the database is of devnet or mainnet-beta, set SUBRAIL_CHAIN to its RPC servers\. If it is of a local chain, restore/,
  );
});

// starting#folder-of-a-local-chain
test('refuses a folder with the charger of another network, and leaves it as it is', async () => {
  const { dataDir } = config();
  ensurePrivateFolder(dataDir, 'SUBRAIL_DATA_DIR');
  await createKeyFile(join(dataDir, 'charger.json'));
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(
    new StateError(
      `The folder ${dataDir} has the charger of a service on devnet or mainnet-beta. For that service, set SUBRAIL_CHAIN to its RPC servers. For a local chain, choose another folder with SUBRAIL_DATA_DIR.`,
    ),
  );
  expect(readdirSync(dataDir)).toEqual(['charger.json']);
});

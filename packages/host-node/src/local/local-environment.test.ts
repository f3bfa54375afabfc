import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalnet, serveLocalnet } from '@subrail/localnet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../command/arguments.js';
import { fetchProgramTo } from '../command/fetch-program.js';
import { readConfig } from '../config/read-config.js';
import { openService } from '../service/open-service.js';
import { StateError } from '../state/state-error.js';
import { ensureDemoProject } from './demo-project.js';
import { openLocalEnvironment } from './local-environment.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-world-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const config = () => readConfig({ SUBRAIL_PORT: '0' }, folder);

/** Opens the world, does something in it, and closes it again. */
async function inWorld<T>(
  act: (opened: Awaited<ReturnType<typeof openLocalEnvironment>>) => T | Promise<T>,
): Promise<T> {
  const opened = await openLocalEnvironment(config(), SILENT);
  try {
    return await act(opened);
  } finally {
    await opened.environment.close();
  }
}

test('the chain goes on while nobody runs it: its time is never before what was seen of it', async () => {
  const seen = await inWorld(({ local, environment }) => {
    local.chain.advance({ seconds: 86_400 });
    return environment.clock.now();
  });
  const found = await inWorld(({ environment }) => environment.clock.now());
  expect(found.getTime()).toBeGreaterThanOrEqual(seen.getTime());
});

test('a demo world that was left half-made is completed, and made once only', async () => {
  async function make(steps: 'all' | 'without key') {
    const { keys, rpc, environment } = await openLocalEnvironment(config(), SILENT);
    const service = await openService(config(), environment, SILENT);
    const world = await ensureDemoProject({
      billing: service.billing,
      rpc,
      keys,
      folder: join(folder, '.subrail'),
    });
    const plans = await service.billing.plans.list(world.projectId);
    const projects = await service.billing.projects.list();
    await service.close();
    if (steps === 'without key') rmSync(join(folder, '.subrail', 'api-key'));
    return { world, plans: plans.plans.length, projects: projects.length };
  }
  const first = await make('without key');
  const second = await make('all');
  const third = await make('all');
  expect([first, second, third].map(({ plans, projects }) => [plans, projects])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(second.world.projectId).toBe(first.world.projectId);
  expect(second.world.apiKey).not.toBe(first.world.apiKey);
  expect(third.world.apiKey).toBe(second.world.apiKey);
});

test('with only the database gone, the world is made again on its chain, with a key the new database knows', async () => {
  async function make() {
    const { keys, rpc, environment } = await openLocalEnvironment(config(), SILENT);
    const service = await openService(config(), environment, SILENT);
    const { apiKey } = await ensureDemoProject({
      billing: service.billing,
      rpc,
      keys,
      folder: config().dataDir,
    });
    const headers = { authorization: `Bearer ${apiKey}` };
    const { status } = await fetch(`${service.url}/v1/plans`, { headers });
    await service.close();
    return { apiKey, status };
  }
  const first = await make();
  for (const end of ['', '-wal', '-shm']) rmSync(`${config().database}${end}`, { force: true });
  const second = await make();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.apiKey).not.toBe(first.apiKey);
  expect((await make()).apiKey).toBe(second.apiKey);
});

test('a database whose chain is gone is refused in a sentence', async () => {
  const { environment } = await openLocalEnvironment(config(), SILENT);
  await (await openService(config(), environment, SILENT)).close();
  rmSync(join(folder, '.subrail', 'chain'));
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(StateError);
  await expect(openLocalEnvironment(config(), SILENT)).rejects.toThrow(
    /remembers a local chain, but .*chain is gone/,
  );
});

test('fetching a program from a server that has none is told in a sentence', async () => {
  const served = await serveLocalnet(createLocalnet(), { port: 0 });
  await expect(fetchProgramTo(served.url, join(folder, 'program.so'))).rejects.toThrow(UsageError);
  await served.close();
  await expect(fetchProgramTo(served.url, join(folder, 'program.so'))).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:\d+ gave no program: /,
  );
});

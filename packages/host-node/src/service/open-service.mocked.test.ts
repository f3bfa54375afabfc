import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { openService } from './open-service.js';

const stop = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('../tracing/tracing.js', () => ({
  openTracing: async () => ({
    telemetry: { span: (_: unknown, work: (end: () => void) => unknown) => work(() => undefined), late() {} },
    stop,
  }),
}));

const logger = { debug() {}, info() {}, warn() {}, error() {} };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-open-'));
});
afterEach(() => {
  vi.clearAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

test('ends its traces when it cannot open', async () => {
  const other = await listen(0);
  const settings = {
    SUBRAIL_PORT: '0',
    SUBRAIL_LOCALNET_PORT: '0',
    SUBRAIL_METRICS_PORT: String(portOf(other)),
  };
  const config = readConfig(settings, folder);
  const local = await openLocalEnvironment(config, logger);
  await expect(openService(config, local, logger)).rejects.toThrow('SUBRAIL_METRICS_PORT');
  expect(stop).toHaveBeenCalledOnce();
  await local.close();
  other.close();
});

test('gives its port back when a file of its settings cannot be used', async () => {
  const before = await listen(0);
  const port = portOf(before);
  before.close();
  await once(before, 'close');
  const settings = {
    SUBRAIL_PORT: String(port),
    SUBRAIL_LOCALNET_PORT: '0',
    SUBRAIL_TOKENS: 'missing.json',
  };
  const config = readConfig(settings, folder);
  const local = await openLocalEnvironment(config, logger);
  await expect(openService(config, local, logger)).rejects.toThrow('missing.json');
  expect(stop).toHaveBeenCalledOnce();
  (await listen(port)).close();
  await local.close();
});

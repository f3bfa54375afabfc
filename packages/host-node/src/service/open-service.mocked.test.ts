import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
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

test('ends its traces when it cannot open', async () => {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const folder = mkdtempSync(join(tmpdir(), 'subrail-open-'));
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const settings = { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0', SUBRAIL_METRICS_PORT: String(port) };
  const config = readConfig(settings, folder);
  const local = await openLocalEnvironment(config, logger);
  await expect(openService(config, local, logger)).rejects.toThrow('SUBRAIL_METRICS_PORT');
  expect(stop).toHaveBeenCalledOnce();
  await local.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

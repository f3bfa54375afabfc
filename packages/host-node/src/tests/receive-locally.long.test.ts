import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { startHost, startScript, type HostProcess } from './host-process.js';
import { moveChainTime, readWelcome } from './welcome-output.js';

// Three processes start one after the other.
vi.setConfig({ testTimeout: 120_000 });

const EXAMPLE = fileURLToPath(new URL('../../../../examples/embed/src/receive-locally.ts', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'subrail-receive-'));
const processes: HostProcess[] = [];
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

const started = (one: HostProcess) => {
  processes.push(one);
  return one;
};

test('the printed command receives the webhooks of a host that runs, and again after a restart', async () => {
  const host = started(startHost(['start'], folder, { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' }));
  const { rpcUrl, receiverArguments } = await readWelcome(host);
  const receiver = (port: string) => started(startScript(EXAMPLE, receiverArguments, folder, { PORT: port }));

  const first = receiver('0');
  const [, port = ''] = await first.line(/^Webhooks arrive at http:\/\/127\.0\.0\.1:(\d+)\/webhooks/);
  await first.line(/^dlv_\w+ {2}subscription\.created: active$/);
  await first.line(/^dlv_\w+ {2}subscription\.access_granted: active$/);
  await first.end('SIGTERM');

  const second = receiver(port);
  await second.line(/^The demo wallet is subscribed already/);
  await moveChainTime(rpcUrl, new Date(Date.now() + 31 * 86_400_000));
  const [renewal] = await second.line(/^dlv_\w+ {2}paid 5000000 until .*/);
  expect(first.lines).not.toContain(renewal);
});

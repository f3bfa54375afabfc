// Heavy: hosts and receivers are processes of their own.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@subrail/test-postgres';
import { afterAll, expect, test } from 'vitest';
import { startHost, startScript, type HostProcess } from './host-process.js';
import { moveChainTime, readWelcome } from './welcome-output.js';

// Three processes start one after the other.
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
  const receiver = (port: string, sealingKey?: string) =>
    started(
      startScript(EXAMPLE, receiverArguments, folder, {
        PORT: port,
        ...(sealingKey !== undefined && { SUBRAIL_SEALING_KEY: sealingKey }),
      }),
    );

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
  await second.end('SIGTERM');

  const withAnotherKey = receiver(port, '7'.repeat(64));
  await withAnotherKey.line(/^Nothing that is sent to .* could be signed, because this command has another/);
  expect(await withAnotherKey.exited).toBe(1);
  const third = receiver(port);
  await third.line(/^Webhooks arrive at/);
});

test('on PostgreSQL the printed command needs the same SUBRAIL_DATABASE, and creates no database without it', async () => {
  const server = await startPostgres();
  const onPostgres = join(folder, 'on-postgres');
  mkdirSync(onPostgres);
  const ports = { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' };
  const host = started(startHost(['start'], onPostgres, { ...ports, SUBRAIL_DATABASE: server.url }));
  const { receiverArguments } = await readWelcome(host);
  const text = host.lines.join('\n');
  const address = new URL(server.url);
  expect(text).toContain(
    `Records are in    postgres://${address.username}@${address.host}${address.pathname}`,
  );
  expect(text).toContain('In another terminal, set SUBRAIL_DATABASE as here');

  const without = started(startScript(EXAMPLE, receiverArguments, onPostgres, { PORT: '0' }));
  await without.line(/^There is no database at .*subrail\.sqlite\. Set SUBRAIL_DATABASE as it was set/);
  expect(await without.exited).toBe(1);
  expect(existsSync(join(receiverArguments[0] ?? '', 'subrail.sqlite'))).toBe(false);

  const receiver = started(
    startScript(EXAMPLE, receiverArguments, onPostgres, { PORT: '0', SUBRAIL_DATABASE: server.url }),
  );
  await receiver.line(/^dlv_\w+ {2}subscription\.created: active$/);
  await receiver.end('SIGTERM');
  await host.end('SIGTERM');
  await server.remove();
});

test('the printed command makes no endpoint for which a host could not sign', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  const host = started(startHost(['start'], other, { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' }));
  const { receiverArguments } = await readWelcome(host);
  const receiver = started(
    startScript(EXAMPLE, receiverArguments, other, { PORT: '0', SUBRAIL_SEALING_KEY: '7'.repeat(64) }),
  );
  await receiver.line(/^Nothing that is sent to .* could be signed, because this command has another/);
  expect(await receiver.exited).toBe(1);
});

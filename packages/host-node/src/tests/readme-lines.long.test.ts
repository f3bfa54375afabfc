// Heavy: the lines of the README are processes of their own.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startHost } from './host-process.js';
import { readWelcome } from './welcome-output.js';

vi.setConfig({ testTimeout: 200_000 });

/** The lines of the README with which a plan, a receiver and a customer are made. */
function linesOfReadme(): readonly string[] {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  return readme.split('\n').filter((line) => line.startsWith('npm start --silent -- '));
}

/** A receiver that accepts every webhook, and notes its type. */
async function openReceiver() {
  const types: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      types.push((JSON.parse(body) as { readonly type: string }).type);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { types, port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test('the lines of the README end in a paid subscription of an own plan, and its webhooks arrive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-readme-'));
  const receiver = await openReceiver();
  const host = startHost(['start'], folder, { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' });
  await readWelcome(host);
  const lines = linesOfReadme();
  expect(lines).toHaveLength(5);
  let written = '';
  for (const line of lines) {
    const words = line.replace('127.0.0.1:5005', `127.0.0.1:${receiver.port}`).split(' ').slice(4);
    const command = startHost(words, folder);
    const code = await command.exited;
    written = command.lines.join('\n');
    expect([line, code, written]).toEqual([line, 0, written]);
  }
  expect(written).toMatch(/^access +true$/m);
  await vi.waitUntil(() => receiver.types.length === 2, { timeout: 30_000 });
  expect(receiver.types.toSorted()).toEqual(['subscription.access_granted', 'subscription.created']);
  await host.end('SIGTERM');
  receiver.close();
  rmSync(folder, { recursive: true });
});

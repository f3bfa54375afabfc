import type { Span, Telemetry } from '@subrail/core/ports';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { endpointsOf } from './sources.js';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The address of a server that answers every request with this. */
async function answering(answer: object): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id } = JSON.parse(body) as { readonly id: unknown };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// alerts#telemetry
test('measures each request by its method, and names of its server the scheme and the host only', async () => {
  const seen: (Span & { readonly outcome: string })[] = [];
  const telemetry: Telemetry = {
    async span(span, work) {
      let outcome = 'ok';
      try {
        return await work((how) => ({ outcome } = how));
      } finally {
        seen.push({ ...span, outcome });
      }
    },
    late: () => undefined,
  };
  const [good, refusing] = [
    await answering({ result: 5 }),
    await answering({ error: { code: -32_005, message: 'behind' } }),
  ];
  const silent = 'http://user:secret@127.0.0.1:1/secret?key=secret';
  const endpoints = endpointsOf([`${good}/secret?key=secret`, refusing, silent], telemetry);
  for (const { rpc } of endpoints)
    await rpc
      .getSlot()
      .send()
      .catch(() => undefined);
  expect(seen).toEqual([
    { kind: 'rpc', name: 'getSlot', labels: { server: '1', url: good }, outcome: 'ok' },
    { kind: 'rpc', name: 'getSlot', labels: { server: '2', url: refusing }, outcome: 'error' },
    {
      kind: 'rpc',
      name: 'getSlot',
      labels: { server: '3', url: 'http://127.0.0.1:1' },
      outcome: 'unanswered',
    },
  ]);
  expect(JSON.stringify(seen)).not.toContain('secret');
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, type WebhookEvent } from '@subrail/core/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCommandWorld, type CommandWorld } from '../tests/command-world.js';
import { fakeTerminal } from '../tests/fake-terminal.js';
import { runCommand } from '../run-command.js';

let world: CommandWorld;
const stopWorker = new AbortController();
let working: Promise<unknown>;
beforeAll(async () => {
  world = await openCommandWorld();
  working = world.billing.worker.run({ signal: stopWorker.signal });
});
afterAll(async () => {
  stopWorker.abort();
  await working;
  await world.close();
});

/** The receiver of the webhooks, and what arrived at it: verified with the secret, as an integrator would. */
let receiver: Server;
let secret = '';
let answer = 200;
let received: WebhookEvent[] = [];
beforeEach(async () => {
  received = [];
  answer = 200;
  receiver = createServer((request, response) => {
    void buffer(request)
      .then((body) => verifyWebhook({ headers: request.headers, body }, secret))
      .then(({ event }) => {
        received.push(event);
        response.writeHead(answer).end('seen');
      })
      .catch(() => response.writeHead(400).end('not signed'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterEach(() => receiver.close());

const address = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;

/** Runs `subrail listen` until the returned function is called. */
async function listening(...args: readonly string[]) {
  let stop: () => void = () => undefined;
  const { terminal, written } = fakeTerminal({
    folder: world.folder,
    environment: { SUBRAIL_PROJECT: world.projectId },
    stopped: () => new Promise<void>((resolve) => (stop = resolve)),
  });
  const ended = runCommand(['listen', '--forward-to', address(), '--port', '0', ...args], terminal);
  await expect.poll(() => written.stderr).toContain('Webhooks are forwarded');
  secret = /whsec_\S+/.exec(written.stderr)?.[0] ?? secret;
  return {
    written,
    async end() {
      stop();
      return ended;
    },
  };
}

test('forwards webhooks with headers and bytes, shows them, and leaves no endpoint', async () => {
  const listener = await listening();
  await world.run('database', ['local', 'wallet', '--out', 'ada.json']);
  await world.run('database', ['local', 'subscribe', '--plan', 'pro', '--wallet', 'ada.json']);
  await expect
    .poll(() => received.map(({ type }) => type).sort())
    .toEqual(['subscription.access_granted', 'subscription.created']);
  await expect.poll(() => listener.written.stdout).toMatch(/^dlv_\w+ {2}created +sub_\w+ {2}200 in \d+ ms$/m);
  const [endpoint] = await world.shop.endpoints.list();
  const created = received.find(({ type }) => type === 'subscription.created');
  await world.shop.deliveries.resend({ event: created?.id ?? '', endpoint: endpoint?.id ?? '' });
  await expect
    .poll(() => listener.written.stdout)
    .toMatch(/^dlv_\w+ {2}created +sub_\w+ {2}200 in \d+ ms {2}attempt 2$/m);
  expect(await listener.end()).toBe(0);
  expect(await world.shop.endpoints.list()).toEqual([]);
});

test('triggers a made-up event, and passes the answer of the receiver back', async () => {
  const listener = await listening('--events', 'subscription.renewed');
  const trigger = (type: string) => world.run('database', ['trigger', type, '--json']);
  const sent = JSON.parse((await trigger('subscription.renewed')).stdout) as object[];
  expect(sent).toMatchObject([{ state: 'delivered', last_status: 200, last_excerpt: 'seen' }]);
  expect(received.map(({ type }) => type)).toEqual(['subscription.renewed']);
  answer = 503;
  const refused = await trigger('renewed');
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, [{ last_status: 503 }]]);
  expect((await trigger('subscription.ended')).stderr).toContain('receives subscription.ended');
  expect((await trigger('sunshine')).stderr).toContain('"sunshine" is no event.');
  receiver.closeAllConnections();
  receiver.close();
  await trigger('renewed');
  expect(listener.written.stdout).toMatch(/did not answer: .*ECONNREFUSED/);
  await listener.end();
});

test('takes an endpoint that is there already, and leaves it', async () => {
  const first = await listening();
  const [made] = await world.shop.endpoints.list();
  const port = new URL(made?.url ?? '').port;
  await first.end();
  const { id } = await world.shop.endpoints.create({ url: made?.url ?? '', types: ['subscription.ended'] });
  const second = await listening('--port', port);
  expect(second.written.stderr).toContain(`The endpoint ${id} was there`);
  await second.end();
  expect((await world.shop.endpoints.list()).map((endpoint) => endpoint.id)).toEqual([id]);
  await world.shop.endpoints.delete(id);
});

test('refuses a service that is not in development, and endpoints that are not', async () => {
  const { terminal, written } = fakeTerminal({
    folder: world.folder,
    environment: { SUBRAIL_PROJECT: world.projectId, SUBRAIL_PRIVATE_TARGETS: 'false' },
    stopped: () => Promise.resolve(),
  });
  expect(await runCommand(['listen', '--forward-to', address(), '--port', '0'], terminal)).toBe(1);
  expect(written.stderr).toContain('so it is not in development, and nothing was changed');
  const { id } = await world.shop.endpoints.create({
    url: 'https://shop.example.com/webhooks',
    types: ['subscription.renewed'],
  });
  const { code, stderr } = await world.run('database', ['trigger', 'renewed']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no endpoint in development')]);
  await world.shop.endpoints.delete(id);
});

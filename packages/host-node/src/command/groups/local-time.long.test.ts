// Heavy: hosts live through months, charge by charge.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openCommandWorld, type CommandWorld } from '../tests/command-world.js';

let world: CommandWorld;
/** The log of the host. */
const logged: string[] = [];
beforeAll(async () => {
  const log = (_: object, sentence: string) => void logged.push(sentence);
  world = await openCommandWorld({}, { debug() {}, info: log, warn: log, error: log });
  world.startWorker();
});
afterAll(async () => {
  await world.close();
});

const run = (...args: readonly string[]) => world.run('database', ['local', ...args]);

async function printed(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('moves through each charge on the way, and shows it when it happens', async () => {
  await run('wallet', '--out', 'ada.json');
  await run('subscribe', '--plan', 'pro', '--wallet', 'ada.json');
  const { code, stdout, stderr } = await run('time', '+61d');
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n').filter((line) => / renewed /.test(line));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}sub_\w+ {2}renewed +5 dUSD$/);
  expect(stdout).toMatch(/It is \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.\n$/);
  // The host made them, and so its metrics count them.
  expect(await chargesMade()).toBe(2);
});

/** The number of charges of the host, by its metrics. */
async function chargesMade(): Promise<number> {
  const { attempts } = await world.billing.metrics();
  return attempts.reduce((sum, { outcome, count }) => sum + (outcome === 'paid' ? count : 0), 0);
}

// alerts#log-of-charges-and-subscriptions
afterEach(async () => {
  const lines = logged.filter((sentence) => sentence === 'A charge was paid.');
  expect(lines).toHaveLength(await chargesMade());
});

test('waits over HTTP until the host has charged', async () => {
  await run('wallet', '--out', 'joan.json');
  const id = String((await printed('subscribe', '--plan', 'pro', '--wallet', 'joan.json'))['id']);
  await run('time', '+28d', '--jump');
  const { stdout } = await world.run('host', ['local', 'time', '+3d', '--rpc', world.rpcUrl]);
  expect(
    stdout
      .split('\n')
      .filter((line) => line.includes(id))
      .join('\n'),
  ).toMatch(/renewed +5 dUSD$/m);
});

test('shows a charge that fails and one that wins it back', async () => {
  const wallet = String((await printed('wallet', '--out', 'empty.json'))['wallet']);
  const id = String((await printed('subscribe', '--plan', 'pro', '--wallet', 'empty.json'))['id']);
  await run('empty', wallet);
  const ofWallet = ({ stdout }: { readonly stdout: string }) =>
    stdout.split('\n').filter((line) => line.includes(id));
  expect(ofWallet(await run('time', '30d')).at(-1)).toMatch(
    /payment_failed +5 dUSD, insufficient_balance, next retry \d{4}-\d\d-\d\d$/,
  );
  await run('fund', wallet);
  expect(ofWallet(await run('time', '2d')).join('\n')).toMatch(/renewed +5 dUSD/);
});

const receivers: Server[] = [];
afterEach(async () => {
  for (const { id } of await world.shop.endpoints.list()) await world.shop.endpoints.delete(id);
  for (const receiver of receivers.splice(0)) {
    receiver.closeAllConnections();
    receiver.close();
  }
});

/** Makes an endpoint for renewals. `onEvent` gets the body of each, and returns the status of the answer. */
async function receive(onEvent: (body: string) => number | null): Promise<void> {
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const status = onEvent(body);
      if (status !== null) response.writeHead(status).end();
    });
  });
  receivers.push(receiver);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await world.shop.endpoints.create({ url, types: ['subscription.renewed'] });
}

/** Subscribes a new wallet, and returns the lines of its subscription in what `local time` writes. */
async function renewals(name: string, pass: () => ReturnType<typeof run>): Promise<readonly string[]> {
  await run('wallet', '--out', `${name}.json`);
  const id = String((await printed('subscribe', '--plan', 'pro', '--wallet', `${name}.json`))['id']);
  const { code, stdout, stderr } = await pass();
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line.includes(id) && line.includes(' renewed '));
}

test.each([
  ['refuses every webhook', () => 500],
  ['hangs', () => null],
])('goes on past an endpoint that %s, and one that works gets the events in order', async (kind, onEvent) => {
  await receive(onEvent);
  const received: string[] = [];
  await receive((body) => {
    received.push((JSON.parse(body) as { readonly created_at: string }).created_at);
    return 200;
  });
  const name = kind.replaceAll(' ', '-');
  expect(await renewals(name, () => run('time', '+61d'))).toHaveLength(2);
  expect(received.length).toBeGreaterThanOrEqual(2);
  expect(received).toEqual([...received].sort());
});

test('goes on over HTTP past a webhook that an endpoint refuses, which takes others', async () => {
  const bodies = new Set<string>();
  await receive((body) => {
    bodies.add(body);
    return body === [...bodies][0] ? 500 : 200;
  });
  await run('wallet', '--out', 'other.json');
  await run('subscribe', '--plan', 'pro', '--wallet', 'other.json');
  const lines = await renewals('picky', async () => {
    await run('time', '+28d', '--jump');
    return world.run('host', ['local', 'time', '+3d', '--rpc', world.rpcUrl]);
  });
  expect(lines).toHaveLength(1);
  expect(bodies.size).toBeGreaterThanOrEqual(2);
});

test('jumps, and refuses what is no length of time', async () => {
  const before = world.billing.service.clock.now().getTime();
  const { now } = await printed('time', '+1h', '--jump');
  expect(new Date(String(now)).getTime()).toBeGreaterThanOrEqual(before + 3_598_000);
  expect((await run('time', 'soon')).stderr).toContain('"soon" is no length of time');
});

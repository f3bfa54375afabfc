import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCrypto } from '@subrail/adapters/node';
import { createBilling, createHandler, type Billing } from '@subrail/core';
import { RecordingSender } from '@subrail/core/testing';
import { openTestStore } from '@subrail/test-world';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headersOf, openDeliveryWorld, SEALING_KEY as OLD } from './delivery-world.js';

const NEW = new Uint8Array(32).fill(8);

let folder: string;
const opened: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-rotation-'));
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

/** Another connection to the database that all hosts share. */
async function connect() {
  const { store, close } = await openTestStore('sqlite', join(folder, 'billing.db'));
  opened.push(close);
  return store;
}

/** The state of the sealing key that a host's `/health` shows. */
async function healthOf(billing: Billing): Promise<unknown> {
  const response = await createHandler(billing)(new Request('http://subrail.test/health'));
  return ((await response.json()) as Record<string, unknown>)['sealing_key'];
}

// deliveries#sealing-key-rotation, deliveries#secret-that-cannot-be-opened
test('the sealing key is rotated over hosts that share a database, and every webhook is signed', async () => {
  const sender = new RecordingSender();
  const oldHost = await openDeliveryWorld(sender, { store: await connect() });
  const { clock, project } = oldHost;
  const hostWith = async (...[key, options]: Parameters<typeof createCrypto>) =>
    createBilling({ ...oldHost.ports, store: await connect(), crypto: createCrypto(key, options) });
  const canSign = async (billing: Billing) =>
    Object.fromEntries(
      (await billing.project(project.id).endpoints.list()).map(({ url, can_sign }) => [url, can_sign]),
    );
  const secrets = new Map<string, string>();
  /** Which endpoints got something since the last call, with a signature by the endpoint's secret. */
  const received = () =>
    sender.posts.splice(0).map(({ url, headers, body }) => {
      const {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': given,
      } = headersOf({ headers });
      const key = Buffer.from(secrets.get(url)?.slice('whsec_'.length) ?? '', 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      return [url, given === `v1,${signature}`];
    });
  const [first, second] = ['https://first.example.com/', 'https://second.example.com/'];

  // Every host has the old key.
  secrets.set(first, (await oldHost.endpoint('first')).secret);
  await oldHost.happens('subscription.created');
  expect(await oldHost.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });
  expect(received()).toEqual([[first, true]]);

  // One host has started again with the new key and the old one as older: it signs for all.
  const rotated = await hostWith(NEW, { older: [OLD] });
  const types = ['subscription.created' as const];
  const made = await rotated.project(project.id).endpoints.create({ url: second, types });
  secrets.set(second, made.secret);
  expect(await canSign(rotated)).toEqual({ [first]: true, [second]: true });
  await oldHost.happens('subscription.created');
  expect(await rotated.worker.deliver()).toEqual({ delivered: 2, retrying: 0, failed: 0 });
  expect(received().toSorted()).toEqual([
    [first, true],
    [second, true],
  ]);

  // Meanwhile the host with the old key alone signs what it can and shows what it cannot.
  expect(await canSign(oldHost.billing)).toEqual({ [first]: true, [second]: false });
  expect(await healthOf(oldHost.billing)).toBe('ok');
  await oldHost.happens('subscription.created');
  expect(await oldHost.deliver()).toEqual({ delivered: 1, retrying: 1, failed: 0 });
  expect(received()).toEqual([[first, true]]);
  const { data } = await oldHost.billing.project(project.id).deliveries.list({ endpoint: made.id });
  expect(data[0]?.last_excerpt).toBe(
    'Not sent: no signing secret of the endpoint opens with the sealing key',
  );
  // What it could not sign, another host signs when it is due again.
  clock.advance(70_000);
  expect(await rotated.worker.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });
  expect(received()).toEqual([[second, true]]);

  // Every host has the new key: everything is sealed with it, once, however often it is done.
  expect(await rotated.secrets.reseal()).toEqual({
    resealed: 1,
    unchanged: 1,
    not_opened: [],
    unreadable: [],
  });
  expect(await rotated.secrets.reseal()).toEqual({
    resealed: 0,
    unchanged: 2,
    not_opened: [],
    unreadable: [],
  });
  clock.advance(10_000);
  expect(await healthOf(rotated)).toBe('ok');
  // A host that was forgotten shows it.
  expect(await canSign(oldHost.billing)).toEqual({ [first]: false, [second]: false });
  expect(await healthOf(oldHost.billing)).toBe('wrong');

  // The hosts start without the old key.
  const newHost = await hostWith(NEW);
  expect(await newHost.checkSealingKey()).toBe('ok');
  expect(await canSign(newHost)).toEqual({ [first]: true, [second]: true });
  await oldHost.happens('subscription.created');
  expect(await newHost.worker.deliver()).toEqual({ delivered: 2, retrying: 0, failed: 0 });
  expect(received().toSorted()).toEqual([
    [first, true],
    [second, true],
  ]);
});

// deliveries#sealing-key-rotation
test('no attempt fails when the hosts first get the new key as an older one', async () => {
  const sender = new RecordingSender();
  const oldHost = await openDeliveryWorld(sender, { store: await connect() });
  const hostWith = async (key: Uint8Array, older: Uint8Array) =>
    createBilling({
      ...oldHost.ports,
      store: await connect(),
      crypto: createCrypto(key, { older: [older] }),
    });
  await oldHost.endpoint('first');
  const prepared = await hostWith(OLD, NEW);
  const rotated = await hostWith(NEW, OLD);
  const types = ['subscription.created' as const];
  const url = 'https://second.example.com/';
  await rotated.project(oldHost.project.id).endpoints.create({ url, types });
  await oldHost.happens('subscription.created');
  expect(await prepared.worker.deliver()).toEqual({ delivered: 2, retrying: 0, failed: 0 });
});

// Heavy: the service is opened a dozen times on a server of PostgreSQL.

import { generateKeyPairSigner } from '@solana/kit';
import { expect, test, vi } from 'vitest';
import { useDatabase } from '../../postgres/tests/use-database.js';
import { openBilling, type OpenedBilling } from '../index.js';

const database = useDatabase();

/** Opens the service as an app that is loaded again does, and uses a key, so that it hears of changes. */
async function load(url = database.url()): Promise<OpenedBilling> {
  const billing = await openBilling({
    database: url,
    rpc: () => Promise.reject(new TypeError('There is no chain.')),
    charger: await generateKeyPairSigner(),
    sealingKey: 'ab'.repeat(32),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    timeouts: { answerMs: 20, totalMs: 40 },
  });
  database.closeLater(() => billing.close());
  await useKey(billing, `SUB_${'x'.repeat(43)}`);
  return billing;
}

const useKey = (billing: OpenedBilling, key: string) =>
  billing.handler(new Request('http://x/v1/project', { headers: { authorization: `Bearer ${key}` } }));

/** The connections that listen, whoever opened them. */
async function listening(): Promise<number> {
  const client = await database.operator();
  const { rows } = await client.query(
    "select from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
  );
  return rows.length;
}

test('an app that is loaded again has one connection that listens, until the last is closed', async () => {
  const loaded = [await load(), await load(), await load(), await load()];
  await vi.waitFor(async () => expect(await listening()).toBe(1));
  for (const billing of loaded.slice(0, 3)) await billing.close();
  // A second close ends the connection of nobody else.
  await loaded[0]?.close();
  expect(await listening()).toBe(1);
  await loaded[3]?.close();
  await vi.waitFor(async () => expect(await listening()).toBe(0));
  await load();
  await vi.waitFor(async () => expect(await listening()).toBe(1));
});

test('a key that one of them revoked works with none', async () => {
  const [first, second] = [await load(), await load()];
  const { id } = await first.projects.create({ name: 'Shop' });
  const { key, id: keyId } = await first.project(id).keys.create({ name: 'website' });
  for (const billing of [first, second]) expect((await useKey(billing, key)).status).toBe(200);
  await first.project(id).keys.revoke(keyId);
  expect((await useKey(first, key)).status).toBe(401);
  await vi.waitFor(async () => expect((await useKey(second, key)).status).toBe(401));
});

test('what connects by another address has a connection of its own', async () => {
  const network = await database.network();
  await load();
  await load(network.url);
  await vi.waitFor(async () => expect(await listening()).toBe(2));
});

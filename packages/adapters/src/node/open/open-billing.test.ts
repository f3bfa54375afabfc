// Heavy: a silent RPC server is waited for in real time.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMintEncoder } from '@solana-program/token-2022';
import { type KeyPairSigner, type RpcTransport, address, generateKeyPairSigner } from '@solana/kit';
import { WrongChain } from '@subrail/core';
import { Unavailable } from '@subrail/core/ports';
import { ManualClock, RecordingMailer } from '@subrail/core/testing';
import {
  type Localnet,
  createLocalnet,
  localnetRpc,
  localnetTransport,
  sendTransaction,
  signMessage,
  signTransaction,
} from '@subrail/localnet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBilling, type OpenBillingOptions } from '../index.js';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const KEY = new Uint8Array(32).fill(5);

let folder: string;
let options: OpenBillingOptions;
let logged: string[];
let chain: Localnet;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-open-'));
  logged = [];
  const log = (_: object, message: string) => void logged.push(message);
  const charger = await generateKeyPairSigner();
  chain = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)) });
  chain.airdrop(charger.address, 1_000_000_000n);
  options = {
    database: join(folder, 'billing.db'),
    rpc: localnetTransport(chain),
    charger,
    sealingKey: KEY,
    logger: { debug() {}, info() {}, warn: log, error: log },
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes a mint of the classic token program, with 6 decimals. */
function createToken(authority: KeyPairSigner, mint: KeyPairSigner): void {
  const data = getMintEncoder().encode({
    mintAuthority: authority.address,
    supply: 0n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
    extensions: null,
  });
  chain.setAccount(mint.address, {
    data: Uint8Array.from(data),
    owner: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
    lamports: 1_000_000_000n,
  });
}

const endpoint = { url: 'https://shop.example.com/webhooks', types: ['subscription.created' as const] };

it('opens a service on a new file, and finds everything again after a restart', async () => {
  const first = await openBilling(options);
  const { id } = await first.projects.create({ name: 'My shop' });
  const { key } = await first.project(id).keys.create();
  expect(await first.project(id).access.check({ external_id: 'customer-42' })).toEqual({
    plans: [],
    revalidate_after: 10,
  });
  await first.worker.runUntilIdle();
  await first.close();
  expect(statSync(join(folder, 'billing.db')).mode & 0o777).toBe(0o600);

  const second = await openBilling(options);
  const response = await second.handler(
    new Request('http://shop.test/v1/project', { headers: { authorization: `Bearer ${key}` } }),
  );
  expect(await response.json()).toMatchObject({ id, name: 'My shop' });
  expect(await second.service.chain.head()).toMatchObject({ ok: true });
  await second.close();
});

it('sends mails by the given mailer, from the address of the settings', async () => {
  const mailer = new RecordingMailer();
  const settings = { mailFrom: 'billing@shop.example' };
  await expect(openBilling({ ...options, mailer })).rejects.toThrow(/"mailer" and the setting "mailFrom"/);
  const billing = await openBilling({ ...options, mailer, settings });
  const shop = billing.project((await billing.projects.create({ name: 'My shop' })).id);
  expect(await shop.mails.settings()).toMatchObject({ from: 'billing@shop.example', lacks: null });
  expect(await shop.mails.test({ to: 'ada@example.com' })).toEqual({ outcome: 'accepted', reason: null });
  expect(mailer.mails).toEqual([
    expect.objectContaining({
      from: { name: 'My shop', address: 'billing@shop.example' },
      to: 'ada@example.com',
    }),
  ]);
  await billing.close();
});

it.each([1, 400])(
  'follows the time of a chain that was moved by %i days, from the first request on',
  async (days) => {
    const moved = { ...options, clock: 'chain' as const };
    chain.advance({ seconds: days * 86_400 });
    const billing = await openBilling(moved);
    const { id } = await billing.projects.create({ name: 'My shop' });
    expect(
      Math.abs(Date.parse((await billing.project(id).retrieve()).created_at) - chain.now().getTime()),
    ).toBeLessThan(60_000);
    const health = await billing.handler(new Request('http://shop.test/health'));
    expect(await health.json()).toMatchObject({ status: 'ok', chain: { host_clock: 'ok' } });
    expect(Math.abs(billing.service.wallClock.now().getTime() - Date.now())).toBeLessThan(60_000);
    await billing.close();
  },
);

it('renews a subscription when the chain has moved by a month, in an app that follows its time', async () => {
  const [owner, mint, wallet] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ]);
  const rpc = localnetRpc(chain);
  for (const { address } of [owner, wallet]) chain.airdrop(address, 1_000_000_000n);
  createToken(owner, mint);
  chain.setTokenAccount(owner.address, mint.address, { amount: 0n });
  chain.setTokenAccount(wallet.address, mint.address, { amount: 10_000_000n });
  const billing = await openBilling({ ...options, clock: 'chain' });
  const { id } = await billing.projects.create({ name: 'My shop' });
  const { plans, subscriptions, events } = billing.project(id);
  const { slug } = await plans.create({
    name: 'Pro',
    owner: owner.address,
    mint: mint.address,
    amount: '5000000',
    period_hours: 720,
  });
  const { transaction: publishing } = await plans.publish(slug);
  await sendTransaction(rpc, await signTransaction(owner, publishing));
  await plans.confirmPublish(slug);
  const checkout = await subscriptions.create({ plan: slug, wallet: wallet.address });
  await subscriptions.submit(checkout.subscription.id, {
    transaction: await signTransaction(wallet, checkout.transaction),
    terms_signature: await signMessage(wallet, checkout.terms.message),
  });
  // A charge is sent in the first step, and seen to have landed in the second.
  for (const seconds of [30 * 86_400 + 60, 60]) {
    expect((await events.list({ type: 'subscription.renewed' })).data).toEqual([]);
    chain.advance({ seconds });
    await billing.worker.runUntilIdle();
  }
  const { data: renewals } = await events.list({ type: 'subscription.renewed' });
  expect(renewals).toMatchObject([{ data: { id: checkout.subscription.id } }]);
  await billing.close();
});

// invariants#database-bound-to-its-chain
it('refuses the database of another chain, and finds its own again', async () => {
  await (await openBilling(options)).close();
  const another = openBilling({ ...options, rpc: localnetTransport(createLocalnet()) });
  await expect(another).rejects.toThrow(WrongChain);
  await expect(another).rejects.toThrow(/^The database belongs to a chain of devnet with the genesis hash /);
  const again = await openBilling(options);
  expect(await again.checkChain()).toBe('ok');
  await again.close();
});

// invariants#devnet-refuses-mainnet
it('refuses an RPC server of mainnet-beta on devnet, and leaves the database as new', async () => {
  const local = options.rpc as RpcTransport;
  const mainnet: RpcTransport = async (request) => {
    const response = await local(request);
    const isGenesis = (request.payload as { method: string }).method === 'getGenesisHash';
    return (isGenesis ? { ...(response as object), result: MAINNET } : response) as never;
  };
  await expect(openBilling({ ...options, rpc: mainnet })).rejects.toThrow(
    /^The service is set up for devnet, but its RPC server is on mainnet-beta /,
  );
  const devnet = await openBilling(options);
  await devnet.close();
  await expect(openBilling({ ...options, network: 'mainnet-beta' })).rejects.toThrow(
    /^The service is set up for mainnet-beta, but its RPC server is on devnet /,
  );
});

// invariants#database-bound-to-its-chain
it('opens while no RPC server answers, and checks the chain at its first answer', async () => {
  await (await openBilling(options)).close();
  const another = localnetTransport(createLocalnet());
  let down = true;
  const rpc: RpcTransport = (request) => (down ? Promise.reject(new Error('reset')) : another(request));
  const billing = await openBilling({ ...options, rpc, timeouts: { answerMs: 200, totalMs: 400 } });
  const chain = async () => {
    const response = await billing.handler(new Request('http://shop.test/health'));
    return ((await response.json()) as { chain: { state: string } }).chain.state;
  };
  expect(logged.splice(0)).toEqual([
    expect.stringMatching(/^No Solana RPC server answers. Nothing is charged/),
  ]);
  expect([await billing.checkChain(), await chain(), logged]).toEqual(['unknown', 'unavailable', []]);
  down = false;
  await expect.poll(() => billing.checkChain().catch(String)).toContain('WrongChain');
  expect(await billing.service.chain.head()).toMatchObject({ ok: false });
  await expect.poll(chain).toBe('wrong');
  expect(logged).toEqual([expect.stringMatching(/^The RPC servers are on another chain than the records/)]);
  await billing.close();
});

it('opens within seconds while the only RPC server is silent', async () => {
  const silent: RpcTransport = () => new Promise(() => undefined);
  const started = performance.now();
  const billing = await openBilling({ ...options, rpc: silent });
  // A call of the chain may take 12 seconds.
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(logged.splice(0)).toEqual([expect.stringMatching(/^No Solana RPC server answers/)]);
  await billing.close();
});

it('logs at start a sealing key that opens none of the stored secrets, and reports it in /health', async () => {
  const first = await openBilling(options);
  const { id } = await first.projects.create({ name: 'My shop' });
  await first.project(id).endpoints.create(endpoint);
  await first.close();

  const restart = async (sealingKey: Uint8Array): Promise<unknown> => {
    const billing = await openBilling({ ...options, sealingKey });
    const loggedAtStart = [...logged];
    const response = await billing.handler(new Request('http://shop.test/health'));
    await billing.close();
    const { sealing_key: state } = (await response.json()) as Record<string, unknown>;
    return { loggedAtStart, state };
  };
  expect(await restart(KEY)).toEqual({ loggedAtStart: [], state: 'ok' });
  expect(await restart(new Uint8Array(32).fill(6))).toEqual({
    loggedAtStart: [expect.stringMatching(/^The sealing key opens no stored secret/)],
    state: 'wrong',
  });
});

it('lets endpoints and the sender reach private addresses with one switch', async () => {
  const post = { url: 'http://127.0.0.1:1/', headers: {}, body: '', timeoutMs: 1_000, bodyLimit: 1 };
  const local = { ...endpoint, url: 'http://127.0.0.1:1/' };
  const results = [];
  for (const privateTargets of [false, true, ['127.0.0.1:1'], ['127.0.0.1:2']]) {
    const billing = await openBilling({ ...options, settings: { privateTargets } });
    const { id } = await billing.projects.create({ name: 'My shop' });
    const created = await billing
      .project(id)
      .endpoints.create(local)
      .then(
        () => 'created',
        () => 'refused',
      );
    results.push([created, (await billing.service.sender.post(post)).kind]);
    await billing.close();
  }
  expect(results).toEqual([
    ['refused', 'refused'],
    ['created', 'failed'],
    ['created', 'failed'],
    ['refused', 'refused'],
  ]);
});

it('closes the connections to endpoints', async () => {
  const receiver = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const opened = new Promise<Socket>((resolve) => receiver.once('connection', resolve));
  const billing = await openBilling({ ...options, settings: { privateTargets: true } });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await billing.service.sender.post({ url, headers: {}, body: '', timeoutMs: 10_000 });
  const socket = await opened;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  expect(socket.destroyed).toBe(false);
  await billing.close();
  await closed;
  receiver.close();
});

it('ends the worker before it closes the database', async () => {
  const billing = await openBilling({ ...options, clock: new ManualClock(new Date()) });
  const running = billing.worker.run({ signal: new AbortController().signal });
  const closed = billing.close();
  expect(billing.close()).toBe(closed);
  await Promise.all([running, closed]);
  expect(logged).toEqual([]);
});

it('refuses calls after it was closed as unavailable, in process and over HTTP', async () => {
  const billing = await openBilling(options);
  const { id } = await billing.projects.create({ name: 'My shop' });
  const { key } = await billing.project(id).keys.create();
  await billing.close();
  await expect(billing.project(id).retrieve()).rejects.toThrow(Unavailable);
  const response = await billing.handler(
    new Request('http://shop.test/v1/project', { headers: { authorization: `Bearer ${key}` } }),
  );
  expect([response.status, await response.json()]).toMatchObject([503, { code: 'unavailable' }]);
});

it('closes at the end of a scope', async () => {
  const billing = await openBilling(options);
  await billing[Symbol.asyncDispose]();
  await expect(billing.projects.list()).rejects.toThrow();
});

it('closes the database when another option is refused after it was opened', async () => {
  await expect(openBilling({ ...options, handler: { basePath: 'billing/' } })).rejects.toThrow('basePath');
  // In WAL mode the last connection that closes removes the file next to the database.
  expect(() => statSync(join(folder, 'billing.db-wal'))).toThrow('ENOENT');
});

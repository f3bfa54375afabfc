// Uses an app as a shop and its customers do: lists plans through the mounted service, subscribes a wallet,
// reads what is paid for, and receives webhooks. Runs in the folder of the app, from a folder of its own with
// what it imports. The last line counts what passed and failed.

import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  createSignableMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import { openBilling } from '@subrail/adapters/node';
import { signerFromSecret } from '@subrail/adapters/solana';
import type { Billing } from '@subrail/core';
import { createClient } from '@subrail/core/client';
import { localnetRpc, serveLocalnet } from '@subrail/localnet';
import { createTestBilling, type TestWallet } from '@subrail/testing';

const WORKER = resolve('dist/worker.js');
/** The module that subscribes on the page of an app in a browser, if the app has one. */
const SUBSCRIBES = new URL('subscribe.js', import.meta.url);
const STARTS_WITHIN_MS = 120_000;

let passed = 0;
let failed = 0;
function expect(what: string, passes: boolean): void {
  console.log(`  ${passes ? '✓' : '✗'} ${what}`);
  if (passes) passed += 1;
  else failed += 1;
}

/** A new key pair, as a key file holds it. */
function newSecret(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
  return JSON.stringify([...seed, ...publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)]);
}

async function signTransaction({ keyPair }: KeyPairSigner, built: string) {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built));
  return getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], transaction));
}

async function signText(wallet: KeyPairSigner, text: string): Promise<string> {
  const [signatures] = await wallet.signMessages([createSignableMessage(text)]);
  const signature = signatures?.[wallet.address];
  if (signature === undefined) throw new Error('The wallet returned no signature.');
  return getBase58Decoder().decode(signature);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Runs the app's start command until `stop`. */
function startProcess(env: Readonly<Record<string, string>>): () => Promise<void> {
  const app = spawn('npm', ['start', '--silent'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const exited = new Promise((ended) => app.once('exit', ended));
  const kill = (signal: NodeJS.Signals) => app.pid !== undefined && process.kill(-app.pid, signal);
  // It is in a group of its own, because npm passes no signal on to what it runs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      kill('SIGKILL');
      process.exit(1);
    });
  return async () => {
    kill('SIGTERM');
    await exited;
  };
}

/** What the module of a Worker exports. */
interface WorkerModule {
  readonly default: { fetch(request: Request, env: object, context: object): Promise<Response> };
  billingOf(env: object): Promise<Billing>;
}

interface SubscribesModule {
  subscribe(url: string, customer: string, wallet: TestWallet): Promise<void>;
}

/** Serves a Worker, as its platform would, with further arguments. */
async function serveWorker({ default: worker }: WorkerModule, env: object, port: number): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/', headers } = incoming;
      const request = new Request(`http://127.0.0.1:${port}${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
      });
      const response = await worker.fetch(request, env, { waitUntil() {}, passThroughOnException() {} });
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })();
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return server;
}

const test = await createTestBilling({ startAt: new Date(Math.floor(Date.now() / 1_000) * 1_000) });
const chain = await serveLocalnet(test.localnet, { port: 0 });
const rpc = localnetRpc(test.localnet);
const charger = newSecret();
test.localnet.airdrop((await signerFromSecret(charger)).address, 10_000_000_000n);

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env: Record<string, string> = {
  SUBRAIL_CHAIN: chain.url,
  SUBRAIL_CHARGER_KEY: charger,
  SUBRAIL_SEALING_KEY: randomBytes(32).toString('base64'),
  // In the folder of the app, which is deleted afterwards.
  SUBRAIL_DATABASE: resolve(`billing-${port}.db`),
  PORT: String(port),
};
const worker = existsSync(WORKER) ? ((await import(pathToFileURL(WORKER).href)) as WorkerModule) : null;
const opened =
  worker === null
    ? await openBilling({
        database: env['SUBRAIL_DATABASE'] ?? '',
        rpc: chain.url,
        charger,
        sealingKey: env['SUBRAIL_SEALING_KEY'] ?? '',
        settings: { privateTargets: true },
      })
    : null;
const billing = opened ?? (await (worker as WorkerModule).billingOf(env));

const { id: projectId } = await billing.projects.create({ name: 'Shop' });
const shop = billing.project(projectId);
const { key } = await shop.keys.create();
const { secret } = await shop.endpoints.create({
  url: `${url}/webhooks`,
  types: ['subscription.created', 'subscription.access_granted'],
});
Object.assign(env, { SUBRAIL_PROJECT: projectId, WEBHOOK_SECRET: secret });
const { mint } = test.defaultPlan;
await shop.plans.create({
  name: 'Pro',
  owner: test.owner.address,
  mint,
  amount: '5000000',
  period_hours: 24,
});
const { transaction: published } = await shop.plans.publish('pro');
await rpc.sendTransaction(await signTransaction(test.owner.signer, published), { encoding: 'base64' }).send();
await shop.plans.confirmPublish('pro');

const server = worker === null ? null : await serveWorker(worker, env, port);
const stop = worker === null ? startProcess(env) : null;
try {
  const startedAt = performance.now();
  const health = async () => (await fetch(`${url}/billing/health`).catch(() => null))?.status;
  while ((await health()) !== 200 && performance.now() - startedAt < STARTS_WITHIN_MS) await sleep(200);
  expect('serves /health under its mount', (await health()) === 200);
  const document = (await (await fetch(`${url}/billing/openapi.json`)).json()) as {
    readonly openapi: string;
  };
  expect('serves /openapi.json under its mount', document.openapi === '3.1.0');
  expect('refuses a call without a key', (await fetch(`${url}/billing/v1/plans`)).status === 401);

  const client = createClient({ url: `${url}/billing`, key });
  const { plans } = await client.plans.list();
  expect('lists the plan through the mounted service', plans.map(({ slug }) => slug).join() === 'pro');

  const premium = async (customer = 'customer-42') =>
    (await fetch(`${url}/premium?customer=${customer}`)).status;
  expect('refuses what is not paid for', (await premium()) === 402);
  const { signer } = await test.wallet();
  const { subscription, terms } = await client.subscriptions.create({
    plan: 'pro',
    wallet: signer.address,
    external_id: 'customer-42',
  });
  const terms_signature = await signText(signer, terms.message);
  const { transaction } = await client.subscriptions.transaction(subscription.id);
  const submitted = await client.subscriptions.submit(subscription.id, {
    transaction: await signTransaction(signer, transaction),
    terms_signature,
  });
  expect('subscribes a wallet through the mounted service', submitted.subscription.status === 'active');
  expect('serves what is paid for', (await premium()) === 200);

  await billing.worker.runUntilIdle();
  const events = (await (await fetch(`${url}/events`)).json()) as string[];
  expect(
    'receives and verifies its webhooks',
    events.includes('subscription.created') && events.length === 2,
  );
  if (existsSync(SUBSCRIBES)) {
    const { subscribe } = (await import(SUBSCRIBES.href)) as SubscribesModule;
    await subscribe(url, 'customer-of-page', await test.wallet());
    expect('takes the payment of a customer on its own page', (await premium('customer-of-page')) === 200);
  }
  const forged = { 'webhook-id': 'dlv_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  const { status } = await fetch(`${url}/webhooks`, { method: 'POST', headers: forged, body: '{}' });
  expect('refuses a forged webhook', status === 400);
} finally {
  await stop?.();
  server?.close();
  await opened?.close();
  await chain.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

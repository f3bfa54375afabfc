// Heavy: a host as a process of its own is waited for in real time.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generateKeyPairSigner } from '@solana/kit';
import { verifyWebhook } from '@subrail/core/webhooks';
import {
  createLocalnet,
  createMint,
  localnetRpc,
  sendTransaction,
  serveLocalnet,
  signMessage,
  signTransaction,
} from '@subrail/localnet';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config/read-config.js';
import type { DevelopmentRpc } from '../local/demo-project.js';
import { loadLocalKeys } from '../local/local-keys.js';
import { configuredEnvironment } from '../service/environment.js';
import { openService } from '../service/open-service.js';
import { loadOrCreateSecret } from '../state/private-files.js';
import { loadOrCreateSigner } from '../state/signer-file.js';
import { startScript } from './host-process.js';
import { ChainPayments } from './kill/chain-payments.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PRICE = 1_000_000n;
const HOST = fileURLToPath(new URL('clock/host-with-clock.ts', import.meta.url));
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

interface Receiver {
  readonly port: number;
  /** The secret by which it verifies. */
  secret: string;
  /** The types of what it accepted. */
  readonly accepted: string[];
  /** Why it refused what it did not accept. */
  readonly refused: string[];
}

/** Receives webhooks, and refuses what was signed more than five minutes from its time. */
async function receive(now: () => Date): Promise<Receiver> {
  const receiver = { port: 0, secret: '', accepted: [] as string[], refused: [] as string[] };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray());
    const headers = request.headersDistinct as Record<string, string[]>;
    const posted = new Request('http://shop.example.com/', {
      method: 'POST',
      headers: Object.entries(headers).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      ),
      body,
    });
    const refusal = await verifyWebhook(posted, receiver.secret, { now: now() }).then(
      ({ event }) => void receiver.accepted.push(event.type),
      (error: unknown) => String(error),
    );
    if (typeof refusal === 'string') receiver.refused.push(refusal);
    response.writeHead(typeof refusal === 'string' ? 400 : 204).end();
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

/** A subscription with a period of an hour at a host in a process of its own, whose clock can be set. */
async function startWithSubscription() {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  /** The move of the world's time so far. */
  let movedMs = 0;
  const now = () => new Date(Date.now() + movedMs);
  const chain = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / SECOND)) });
  chain.resumeClock();
  const served = await serveLocalnet(chain, { port: 0 });
  onTestFinished(() => served.close());
  const receiver = await receive(now);

  await loadOrCreateSigner(join(folder, 'charger.json'));
  loadOrCreateSecret(join(folder, 'sealing-key'), () => randomBytes(32).toString('hex'));
  const { charger, owner, mint } = await loadLocalKeys(folder);
  const wallet = await generateKeyPairSigner();
  for (const { address } of [charger, owner, wallet]) chain.airdrop(address, 1_000_000_000_000n);
  const rpc = localnetRpc(chain) as DevelopmentRpc;
  await createMint(rpc, owner, mint);
  chain.setTokenAccount(owner.address, mint.address, { amount: 0n });
  chain.setTokenAccount(wallet.address, mint.address, { amount: 1_000n * PRICE });
  const settings = {
    SUBRAIL_CHAIN: served.url,
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_CHARGER_KEY_FILE: join(folder, 'charger.json'),
    SUBRAIL_SEALING_KEY_FILE: join(folder, 'sealing-key'),
    SUBRAIL_DATA_DIR: folder,
    SUBRAIL_PORT: '0',
    SUBRAIL_PUBLIC_URL: 'https://billing.example.com',
    SUBRAIL_PRIVATE_TARGETS: `127.0.0.1:${receiver.port}`,
  };

  const config = readConfig(settings, folder);
  const service = await openService(config, await configuredEnvironment(config), SILENT);
  const { id: projectId } = await service.billing.projects.create({ name: 'Shop' });
  const project = service.billing.project(projectId);
  const plan = { slug: 'hourly', name: 'Hourly', owner: owner.address, mint: mint.address };
  await project.plans.create({ ...plan, amount: String(PRICE), period_hours: 1 });
  const { transaction: publication } = await project.plans.publish('hourly');
  await sendTransaction(rpc, await signTransaction(owner, publication));
  await project.plans.confirmPublish('hourly');
  const types = [
    'subscription.renewed',
    'subscription.payment_failed',
    'subscription.access_revoked',
  ] as const;
  const endpoint = { url: `http://127.0.0.1:${receiver.port}/`, types: [...types] };
  ({ secret: receiver.secret } = await project.endpoints.create(endpoint));
  const { subscription, terms } = await project.subscriptions.create({
    plan: 'hourly',
    wallet: wallet.address,
  });
  const { transaction } = await project.subscriptions.transaction(subscription.id);
  const submitted = await project.subscriptions.submit(subscription.id, {
    transaction: await signTransaction(wallet, transaction),
    terms_signature: await signMessage(wallet, terms.message),
  });
  const begun = new Date(submitted.subscription.current_period_start ?? '');
  await service.close();

  const clockFile = join(folder, 'clock');
  const host = startScript(HOST, ['start'], folder, { ...settings, CLOCK_FILE: clockFile });
  onTestFinished(() => void host.end('SIGKILL'));
  const [, url = ''] = await host.line(/"url":"([^"]+)".*"msg":"The service is running\."/);
  const payments = new ChainPayments(chain, mint.address);
  return {
    host,
    receiver,
    begun,
    now,
    /** The delay of each renewal in milliseconds after the start of its period. */
    paidAfter: () =>
      payments
        .of(wallet.address)
        .slice(1)
        .map(({ at }) => (at * SECOND - begun.getTime()) % HOUR),
    /** Sets the clock of the host's process to so far ahead of the world's time. */
    setClock: async (aheadMs: number): Promise<void> => {
      writeFileSync(clockFile, String(movedMs + aheadMs));
      const seen = host.lines.length;
      process.kill(host.pid, 'SIGUSR2');
      await expect.poll(() => host.lines.slice(seen).join('\n')).toContain('ms ahead.');
    },
    /** Moves the world on, with its chain. */
    move: (ms: number): void => {
      const seconds = Math.ceil(ms / SECOND);
      chain.advance({ seconds });
      movedMs += seconds * SECOND;
    },
    health: async () => {
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5 * SECOND) });
      return (await answer.json()) as {
        readonly chain: { readonly host_clock: string; readonly lag_seconds: number };
        readonly worker: Readonly<Record<string, { readonly state: string }>>;
        readonly alerts: readonly { readonly kind: string }[];
      };
    },
  };
}

// clocks#step-of-the-machines-clock, clocks#passes-by-time-that-passed,
// deliveries#timestamp-from-the-wall-clock
test('a host process whose clock is set charges and sends on time, and nothing that it sends is refused', async () => {
  const world = await startWithSubscription();
  const { receiver, host, setClock, move, begun, now, health } = world;
  let renewals = 0;
  /** Goes on to three seconds before the next renewal, with a clock that is right. */
  const goOn = async () => {
    const periods = Math.floor((now().getTime() - begun.getTime()) / HOUR) + 1;
    move(begun.getTime() + periods * HOUR - now().getTime() - 3 * SECOND);
    await setClock(0);
    await expect.poll(async () => (await health()).chain.lag_seconds, { timeout: MINUTE }).toBeLessThan(5);
  };
  const renewed = async () => {
    renewals += 1;
    await expect.poll(() => receiver.accepted.length, { timeout: MINUTE, interval: 200 }).toBe(renewals);
  };

  for (const aheadMs of [-30 * SECOND, -HOUR, -DAY, SECOND, 8 * HOUR, 30 * DAY]) {
    await goOn();
    await setClock(aheadMs);
    await health();
    await renewed();
    await setClock(0);
  }
  await goOn();
  await setClock(DAY);
  await pause(300);
  await setClock(0);
  await renewed();

  // Stopped: its clock went on without it, and its timers are late.
  await goOn();
  process.kill(host.pid, 'SIGSTOP');
  await pause(5 * SECOND);
  process.kill(host.pid, 'SIGCONT');
  await renewed();
  const paidAfter = world.paidAfter();
  expect(paidAfter).toHaveLength(renewals);
  expect(Math.max(...paidAfter)).toBeLessThan(MINUTE);

  // Suspended: the world and its chain went on, elapsed time did not. Access ended, because nobody charged.
  await goOn();
  move(8 * HOUR);
  await setClock(0);
  const resumed = () => receiver.accepted.slice(renewals).toSorted();
  const [ended, paid] = ['subscription.access_revoked', 'subscription.renewed'];
  await expect.poll(resumed, { timeout: MINUTE, interval: 200 }).toEqual([ended, paid, paid]);

  expect(receiver.refused).toEqual([]);
  const { chain, worker, alerts } = await health();
  expect(chain.host_clock).toBe('ok');
  expect(Object.values(worker).map(({ state }) => state)).toEqual(Object.keys(worker).map(() => 'ok'));
  expect(alerts).toEqual([]);
}, 600_000);

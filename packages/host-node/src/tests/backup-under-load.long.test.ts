// Heavy: a host is backed up while it charges, restored, and lives on.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner, lamports } from '@solana/kit';
import { mintTo, tokenBalanceOf } from '@subrail/localnet';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runHere } from '../command/tests/fake-terminal.js';
import { subscribeWallet } from '../command/sandbox/wallet-signs.js';
import { readConfig } from '../config/read-config.js';
import { ensureDemoProject } from '../local/demo-project.js';
import { openLocalEnvironment, type LocalEnvironment } from '../local/local-environment.js';
import { openService, type OpenService } from '../service/open-service.js';

// The host is in this process, and its worker is called by hand: time passes only when the test moves it.
vi.setConfig({ testTimeout: 300_000 });

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const WALLETS = 8;
const AMOUNT = 5_000_000n;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-load-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const config = () => readConfig({ SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' }, folder);

async function openHost() {
  const local = await openLocalEnvironment(config(), SILENT);
  const service = await openService(config(), local, SILENT);
  const { rpc, keys } = { rpc: local.developmentRpc, keys: local.keys };
  const { dataDir } = config();
  const demo = await ensureDemoProject({ billing: service.billing, rpc, keys, folder: dataDir });
  return { local, service, demo };
}

const passMonth = ({ chain }: LocalEnvironment): void => {
  chain.localnet.advance({ seconds: 30 * 86_400 + 60 });
};

/** Runs the worker's passes until the period that has begun is paid of each subscription. */
async function chargeAll({ billing }: OpenService, projectId: string): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  const { clock } = billing.service;
  for (;;) {
    for (const { run } of billing.worker.passes()) await run(signal);
    signal.throwIfAborted();
    const { data } = await billing.project(projectId).subscriptions.search({ limit: 100 });
    const isCharged = ({ next_charge_at }: { readonly next_charge_at: string | null }) =>
      next_charge_at !== null && new Date(next_charge_at) > clock.now();
    if (data.length === WALLETS && data.every(isCharged)) return;
  }
}

// invariants#one-payment-per-period, management#doctor
test('a backup that was taken while charges were made is restored, makes up for what it lacks, and is healthy', async () => {
  const first = await openHost();
  const { local, service, demo } = first;
  const { developmentRpc: rpc, keys } = local;
  const shop = service.billing.project(demo.projectId);
  for (let count = 0; count < WALLETS; count += 1) {
    const wallet = await generateKeyPairSigner();
    await rpc.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
    await mintTo(rpc, demo.token, wallet.address, 100_000_000n);
    await subscribeWallet(shop, wallet, { plan: demo.plan.slug });
  }
  const received = () => tokenBalanceOf(rpc, demo.token, keys.owner.address);
  expect(await received()).toBe(BigInt(WALLETS) * AMOUNT);

  passMonth(local);
  const charging = chargeAll(service, demo.projectId);
  const backups: string[] = [];
  const charges = { done: false };
  const noteEnd = () => {
    charges.done = true;
  };
  charging.then(noteEnd, noteEnd);
  while (!charges.done && backups.length < 20) {
    const file = join(folder, `backup-${backups.length}.sqlite`);
    expect(await runHere(['backup', file], { folder })).toMatchObject({ code: 0 });
    backups.push(file);
  }
  await charging;
  await service.close();
  expect(backups.length).toBeGreaterThan(1);

  // Another month later, the host goes on with the database as it was in the middle of the charges.
  const database = join(folder, '.subrail', 'subrail.sqlite');
  for (const ending of ['-wal', '-shm']) rmSync(database + ending, { force: true });
  copyFileSync(backups[Math.floor(backups.length / 2)] ?? '', database);
  const second = await openHost();
  passMonth(second.local);
  await chargeAll(second.service, demo.projectId);
  const after = await tokenBalanceOf(second.local.developmentRpc, demo.token, keys.owner.address);
  expect(after).toBe(BigInt(WALLETS) * 3n * AMOUNT);
  const examined = await second.service.billing.project(demo.projectId).doctor.examine({});
  expect(examined).toMatchObject({ examined: expect.any(Number) as number, findings: [], next: null });
  await second.service.close();
});

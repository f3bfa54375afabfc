// Heavy: a host that is a process is killed and started again.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSolanaRpc } from '@solana/kit';
import { createClient } from '@subrail/core/client';
import { afterAll, expect, test, vi } from 'vitest';
import { subscribeWallet } from '../command/sandbox/wallet-signs.js';
import { loadLocalKeys } from '../local/local-keys.js';
import { startHost, type HostProcess } from './host-process.js';
import { untilPaid } from './kill/attempts.js';
import { moveChainTime, readWelcome } from './welcome-output.js';

// Only a child process can be killed, and the test starts two.
vi.setConfig({ testTimeout: 200_000 });

const PERIOD_MS = 720 * 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'subrail-kill-local-'));
const hosts: HostProcess[] = [];
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

test('keeps a payment on the local chain when the host is killed as soon as its database records it', async () => {
  const start = async () => {
    const host = startHost(['start'], folder, { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' });
    hosts.push(host);
    const welcome = await readWelcome(host);
    return { host, welcome, client: createClient({ url: welcome.url, key: welcome.apiKey, maxRetries: 0 }) };
  };
  const first = await start();
  const { wallet, mint } = await loadLocalKeys(join(folder, '.subrail'));
  const { id } = await subscribeWallet(first.client, wallet, { plan: 'pro', external_id: 'customer-1' });
  await moveChainTime(first.welcome.rpcUrl, new Date(Date.now() + PERIOD_MS));
  await untilPaid(first.client, id, 2);
  await first.host.end('SIGKILL');

  const second = await start();
  const accounts = await createSolanaRpc(second.welcome.rpcUrl)
    .getTokenAccountsByOwner(wallet.address, { mint: mint.address }, { encoding: 'jsonParsed' })
    .send();
  const { paid } = await second.client.subscriptions.attempts(id);
  const balance = accounts.value[0]?.account.data.parsed.info.tokenAmount.amount;
  expect([paid, balance]).toEqual([{ count: 2, amount: '10000000' }, '90000000']);
});

// Heavy: local chains are started as processes, and stopped and started again.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSolanaRpc, lamports, type Address } from '@solana/kit';
import { afterAll, expect, test } from 'vitest';
import { startHost, type HostProcess } from './host-process.js';

// Two processes run the command one after the other: the second must find the chain of the first.
const folder = mkdtempSync(join(tmpdir(), 'subrail-localnet-'));
const hosts: HostProcess[] = [];
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

const WALLET = '5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj' as Address;

async function start() {
  const host = startHost(['localnet', '--port', '0', '--data', 'chain'], folder);
  hosts.push(host);
  const [, url = ''] = await host.line(/^Local Solana at (\S+)/);
  return { host, rpc: createSolanaRpc(url as 'http://127.0.0.1') };
}

test('serves a chain, stores it in its file, and restores it at the next start', async () => {
  const first = await start();
  await first.rpc.requestAirdrop(WALLET, lamports(1_000_000_000n)).send();
  const genesis = await first.rpc.getGenesisHash().send();
  expect(await first.host.end('SIGTERM')).toBe(0);

  const second = await start();
  expect((await second.rpc.getBalance(WALLET).send()).value).toBe(1_000_000_000n);
  expect(await second.rpc.getGenesisHash().send()).toBe(genesis);
  expect(await second.host.end('SIGTERM')).toBe(0);
});

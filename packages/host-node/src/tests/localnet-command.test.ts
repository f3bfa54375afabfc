import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSolanaRpc, lamports, type Address } from '@solana/kit';
import { afterAll, expect, test, vi } from 'vitest';
import { startHost, type HostProcess } from './host-process.js';

// The command in a process of its own, twice: a chain that one left has to be found again by the next.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

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

test('subrail localnet serves a chain, keeps it in its file, and takes it up again', async () => {
  const first = await start();
  await first.rpc.requestAirdrop(WALLET, lamports(1_000_000_000n)).send();
  const genesis = await first.rpc.getGenesisHash().send();
  expect(await first.host.end('SIGTERM')).toBe(0);

  const second = await start();
  expect((await second.rpc.getBalance(WALLET).send()).value).toBe(1_000_000_000n);
  expect(await second.rpc.getGenesisHash().send()).toBe(genesis);
  expect(await second.host.end('SIGTERM')).toBe(0);
});

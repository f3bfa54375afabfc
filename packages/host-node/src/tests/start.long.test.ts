// Heavy: hosts are started as processes, and stopped and started again.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHost, type HostProcess } from './host-process.js';
import { runInShell, moveChainTime, readWelcome, type WelcomeOutput } from './welcome-output.js';

// Runs the command in a child process, from its arguments to its exit code. A start takes a second, so the
// tests of a running host share one.
const hosts: HostProcess[] = [];
const folders: string[] = [];
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-start-'));
  folders.push(folder);
  return folder;
}

function start(folder: string, environment: Readonly<Record<string, string>> = {}): HostProcess {
  const host = startHost(['start'], folder, { SUBRAIL_PORT: '0', ...environment });
  hosts.push(host);
  return host;
}

describe('subrail start in an empty folder', () => {
  let folder: string;
  let host: HostProcess;
  let welcome: WelcomeOutput;
  beforeAll(async () => {
    folder = newFolder();
    host = start(folder, { SUBRAIL_LOG_LEVEL: 'debug' });
    welcome = await readWelcome(host);
  });

  test('prints the address, a key and two curl lines that work as printed', async () => {
    const { url, curlLines, wallet } = welcome;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(curlLines).toHaveLength(2);
    const [access, plans] = await Promise.all(curlLines.map(runInShell));
    expect(access).toMatchObject({ wallet, plan: 'pro', access: false, status: 'none' });
    expect(plans?.['plans']).toMatchObject([
      { slug: 'pro', symbol: 'dUSD', amount: '5000000', available: true },
    ]);
  });

  // terms#lines-of-the-terms, cancel-page#where-a-wallet-cancels
  test('answers the address that the terms name with the page on which wallets cancel', async () => {
    const { terms } = await runInShell(welcome.beginLine);
    const [, address = ''] = /^Cancel any time: (.*)$/m.exec((terms as { message: string }).message) ?? [];
    const page = await fetch(address);
    expect([page.status, page.url]).toEqual([200, `${welcome.url}/cancel`]);
    expect(await page.text()).toContain('data-chain="solana:localnet"');
    const list = await fetch(`${welcome.url}/wallet/v1/${welcome.wallet}/subscriptions`);
    expect([list.status, await list.json()]).toEqual([200, { data: [], has_more: false }]);
  });

  // dashboard#ticket
  test('prints an address of the dashboard that logs in once', async () => {
    const { origin, pathname, hash } = new URL(welcome.dashboardUrl);
    const key = readFileSync(join(folder, '.subrail', 'dashboard-key'), 'utf8');
    expect(welcome.dashboardUrl).not.toContain(key);
    expect((await fetch(`${origin}${pathname}`)).status).toBe(200);
    const ticket = hash.slice('#ticket='.length);
    const enter = () =>
      fetch(`${origin}/dashboard/log-in`, {
        method: 'POST',
        headers: { 'X-Subrail-Dashboard': '1', Origin: origin },
        body: JSON.stringify({ ticket }),
      });
    const entered = await enter();
    expect(await entered.json()).toMatchObject({ name: 'Local dashboard', access: 'write' });
    expect(entered.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect((await enter()).status).toBe(401);
  });

  test('stores its state in .subrail, which only its owner can enter, with keys that only its owner can read', () => {
    const state = join(folder, '.subrail');
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(state)).toBe(0o700);
    const keys = [
      'api-key',
      'dashboard-key',
      'charger.json',
      'owner.json',
      'wallet.json',
      'mint.json',
      'sealing-key',
    ];
    expect(readdirSync(state)).toEqual(expect.arrayContaining(['subrail.sqlite', 'chain', ...keys]));
    for (const key of keys) expect([key, mode(join(state, key))]).toEqual([key, 0o600]);
  });

  test('refuses a second host in the same folder, and names the file in use', async () => {
    const second = start(folder);
    await second.line(
      /Another process is using .*\.subrail\/chain\. Stop it first, or choose another folder with SUBRAIL_DATA_DIR\.$/,
    );
    expect(await second.exited).toBe(1);
  });

  test('refuses a port that is in use, and reports it', async () => {
    const second = start(newFolder(), { SUBRAIL_PORT: new URL(welcome.url).port });
    await second.line(/^Port \d+ of 127\.0\.0\.1 is already in use\. .* SUBRAIL_PORT\.$/);
    expect(await second.exited).toBe(1);
  });

  test('moves the time of the service when that of the chain is moved', async () => {
    await moveChainTime(welcome.rpcUrl, new Date('2040-01-01T00:00:00Z'));
    const created = await runInShell(welcome.beginLine.replace('"plan"', '"external_id":"later","plan"'));
    expect(created['terms']).toMatchObject({ expires_at: expect.stringMatching(/^2040-01-01/) as string });
  });

  test('lets a request in flight finish after SIGTERM, then exits with code 0', async () => {
    const { port } = new URL(welcome.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      'POST /v1/subscriptions HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${welcome.apiKey}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // The host answers 100 once it handles the request and reads its body.
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
    const exited = host.end('SIGTERM');
    await host.line(/"msg":"Stopping\./);
    socket.write('{}');
    expect(String(await once(socket, 'data'))).toMatch(
      /^HTTP\/1\.1 400 [^]*connection: close[^]*invalid_request/i,
    );
    expect(await exited).toBe(0);
    expect(host.lines.at(-1)).toMatch(/"msg":"Stopped\."/);
  });

  // invariants#no-secret-leaks
  test('writes no key to its log, even at debug', () => {
    const log = host.lines.filter((line) => line.startsWith('{')).join('\n');
    expect(log).toContain('"path":"/v1/subscriptions","status":201');
    const keys = ['charger.json', 'owner.json', 'wallet.json', 'mint.json', 'sealing-key'];
    const secrets = keys.map((name) => readFileSync(join(folder, '.subrail', name), 'utf8').trim());
    for (const secret of [welcome.apiKey, ...secrets]) expect(log).not.toContain(secret);
  });
});

test('finds the same project again at a later start, whether the host was killed or stopped', async () => {
  const folder = newFolder();
  const first = start(folder);
  const before = await readWelcome(first);
  const created = await runInShell(before.beginLine);
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await hosts.at(-1)?.end(signal);
    const after = await readWelcome(start(folder));
    expect([after.apiKey, after.wallet]).toEqual([before.apiKey, before.wallet]);
    expect(await runInShell(after.beginLine)).toMatchObject({
      subscription: created['subscription'],
    });
  }
});

test('prints a sentence for each problem of the configuration and exits with 1', async () => {
  const host = start(newFolder(), { SUBRAIL_PORT: 'eighty', SUBRAIL_HOSTS: 'x' });
  await host.line(/^SUBRAIL_PORT is "eighty": it must be a whole number/);
  await host.line(/^SUBRAIL_HOSTS is not a known environment variable/);
  expect(await host.exited).toBe(1);
});

describe('subrail start whose Postgres server is away', () => {
  test('waits with a warning, and ends well when it is told to', async () => {
    const host = start(newFolder(), { SUBRAIL_DATABASE: 'postgres://billing:hunter2@127.0.0.1:1/billing' });
    await host.line(
      /The database cannot be used yet\. The host tries again for two minutes\. No Postgres server can be reached/,
    );
    expect(await host.end('SIGTERM')).toBe(0);
    expect(host.lines.join('\n')).toContain('Stopped before the database could be used.');
    expect(host.lines.join('\n')).not.toContain('hunter2');
  });
});

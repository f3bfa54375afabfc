import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startHost, type HostProcess } from './host-process.js';

// Child processes: what is tested here is the command itself, from its arguments to its exit code. A start takes a second or two.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
const hosts: HostProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-start-'));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.end('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

function start(environment: Readonly<Record<string, string>> = {}): HostProcess {
  const host = startHost(['start'], folder, { SUBRAIL_PORT: '0', ...environment });
  hosts.push(host);
  return host;
}

/** Waits for the end of the welcome and reads what it says. */
async function welcomed(host: HostProcess) {
  await host.line(/Ctrl-C stops/);
  const text = host.lines.join('\n');
  const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    url: found(/Subrail runs at +(\S+)/),
    apiKey: found(/API key +(\S+)/),
    rpcUrl: found(/Local Solana at +(\S+)/),
    wallet: found(/wallet=(\w+)/),
    curls: [...text.matchAll(/^ +(curl .*)$/gm)].map(([, line = '']) => line),
  };
}

/** Runs a line as a person pastes it into a shell. */
async function run(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('subrail start in an empty folder', () => {
  test('makes a world, prints the address, a key and three curl lines, and each line works as printed', async () => {
    const { url, curls, wallet } = await welcomed(start());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(curls).toHaveLength(3);
    const [access, plans, created] = await Promise.all(curls.map(run));
    expect(access).toMatchObject({ wallet, plan: 'pro', access: false, status: 'none' });
    expect(plans?.['plans']).toMatchObject([
      { slug: 'pro', symbol: 'dUSD', amount: '5000000', available: true },
    ]);
    expect(created).toMatchObject({ subscription: { status: 'pending' }, terms: { message: /dUSD/ } });
  });

  test('keeps its state in .subrail, which only its owner may enter, with keys only its owner may read', async () => {
    await welcomed(start());
    const state = join(folder, '.subrail');
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(state)).toBe(0o700);
    const keys = ['api-key', 'charger.json', 'owner.json', 'wallet.json', 'mint.json', 'sealing-key'];
    expect(readdirSync(state)).toEqual(expect.arrayContaining(['subrail.sqlite', 'chain', ...keys]));
    for (const key of keys) expect([key, mode(join(state, key))]).toEqual([key, 0o600]);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a start after %s finds the same world again',
    async (signal) => {
      const first = start();
      const before = await welcomed(first);
      const created = await run(before.curls[2] ?? '');
      await first.end(signal);
      const after = await welcomed(start());
      expect([after.apiKey, after.wallet]).toEqual([before.apiKey, before.wallet]);
      const answers = await Promise.all(after.curls.map(run));
      expect(answers[2]).toMatchObject({ subscription: created['subscription'] });
    },
  );

  test('a second host in the same folder is refused in a sentence', async () => {
    await welcomed(start());
    const second = start();
    await second.line(/Another process uses .*\.subrail\/lock.* Stop that one first/);
    expect(await second.exited).toBe(1);
  });
});

describe('/health, stopping and logs', () => {
  test('/health needs no key and tells store, chain and worker', async () => {
    const { url } = await welcomed(start());
    const answer = await fetch(`${url}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'ok', store: 'ok', chain: { state: 'ok' } });
  });

  test('moving the time of the chain moves the whole service', async () => {
    const { url, rpcUrl } = await welcomed(start());
    const target = Date.UTC(2040, 0, 1);
    const params = [{ absoluteTimestamp: target }];
    await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'surfnet_timeTravel', params }),
    });
    const { chain } = (await (await fetch(`${url}/health`)).json()) as { chain: { time: string } };
    expect(Date.parse(chain.time)).toBeGreaterThanOrEqual(target);
  });

  test('SIGTERM stops it with exit code 0', async () => {
    const host = start();
    await welcomed(host);
    expect(await host.end('SIGTERM')).toBe(0);
    expect(host.lines.at(-1)).toMatch(/"msg":"stopped"/);
  });

  test('D24.14 no key stands in the log, at its most talkative', async () => {
    const host = start({ SUBRAIL_LOG_LEVEL: 'debug' });
    const { apiKey, curls } = await welcomed(host);
    await Promise.all(curls.map(run));
    await host.line(/"path":"\/v1\/subscriptions","status":201/);
    await host.end('SIGTERM');
    const log = host.lines.filter((line) => line.startsWith('{')).join('\n');
    const state = join(folder, '.subrail');
    const keys = ['charger.json', 'owner.json', 'wallet.json', 'mint.json', 'sealing-key'];
    for (const secret of [apiKey, ...keys.map((name) => readFileSync(join(state, name), 'utf8').trim())]) {
      expect(log).not.toContain(secret);
    }
  });
});

test('a configuration that cannot be used is told in sentences, and the exit code is 1', async () => {
  const host = start({ SUBRAIL_PORT: 'eighty', SUBRAIL_HOSTS: 'x' });
  await host.line(/^SUBRAIL_PORT is "eighty": it must be a whole number/);
  await host.line(/^SUBRAIL_HOSTS is not a known environment variable/);
  expect(await host.exited).toBe(1);
});

test('a port that is taken is told in a sentence', async () => {
  const { url } = await welcomed(start());
  const host = start({ SUBRAIL_PORT: new URL(url).port, SUBRAIL_DATA_DIR: 'other' });
  await host.line(/^Another program listens there already: .*EADDRINUSE/);
  expect(await host.exited).toBe(1);
});

test('arguments nobody knows are told with a hint, and the exit code is 2', async () => {
  const host = startHost(['run'], folder);
  await host.line(/^subrail has no command "run"\.$/);
  expect(await host.exited).toBe(2);
});

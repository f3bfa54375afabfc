// Heavy: each command of a shop is a process of its own, and a month passes between some.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHost, type HostProcess } from './host-process.js';
import { readWelcome } from './welcome-output.js';

// Each test starts more than a dozen processes, one after the other.
vi.setConfig({ testTimeout: 400_000 });

let root: string;
const processes: HostProcess[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'subrail-play-'));
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.end('SIGKILL')));
  rmSync(root, { recursive: true, force: true });
});

/** A folder in which commands run, and what they find in their environment. */
interface Desk {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Further arguments of commands that play with the chain. */
  readonly chain: readonly string[];
}

function run({ folder, environment }: Desk, args: readonly string[]): HostProcess {
  const one = startHost(args, folder, environment);
  processes.push(one);
  return one;
}

/** Runs a command to its end, and returns what it wrote. */
async function subrail(desk: Desk, ...args: readonly string[]): Promise<string> {
  const command = run(desk, args);
  const code = await command.exited;
  const written = command.lines.join('\n');
  expect([args, code, written]).toEqual([args, 0, written]);
  return written;
}

async function object(desk: Desk, ...args: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await subrail(desk, ...args, '--json')) as Record<string, unknown>;
}

/** The lines of a subscription in what `local time` wrote, each as the name of its event. */
const eventsOf = (id: string, written: string): readonly string[] =>
  written
    .split('\n')
    .filter((line) => line.includes(id))
    .map((line) => line.split(/ {2,}/)[2] ?? '');

/** Sets a service up in a fresh folder and starts it. */
async function openService() {
  const desk = {
    folder: root,
    environment: { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' },
    chain: [],
  };
  await subrail(desk, 'init', '--network', 'localnet', '--service-name', 'Play', '--yes');
  return { desk, welcome: await readWelcome(run(desk, ['start'])) };
}

/** Plays what happens in a shop, by commands at a desk alone. `url` is the address of the service. */
async function playShop(desk: Desk, url: string): Promise<void> {
  const { id: project } = await object(desk, 'project', 'create', 'My shop');
  const shop = ['--project', String(project)];
  const { key } = await object(desk, 'key', 'create', ...shop);
  const { mint } = await object(desk, 'local', 'token', ...desk.chain);
  const token = ['--mint', String(mint), ...desk.chain];
  await subrail(desk, 'local', 'wallet', '--out', 'owner.json', ...token);
  const plan = ['--amount', '9.99', '--every', '7d', '--owner-key', 'owner.json', ...token];
  await subrail(desk, 'plan', 'create', 'weekly', ...plan, ...shop);

  const { wallet } = await object(desk, 'local', 'wallet', '--out', 'ada.json', '--tokens', '50', ...token);
  const subscribe = ['local', 'subscribe', '--plan', 'weekly', '--wallet', 'ada.json', ...desk.chain];
  const made = await object(desk, ...subscribe, '--external-id', 'customer-42');
  expect(made).toMatchObject({ wallet, status: 'active', access: true });
  const id = String(made['id']);
  const hasAccess = async () => {
    const answer = await fetch(`${url}/v1/access?external_id=customer-42&plan=weekly`, {
      headers: { authorization: `Bearer ${String(key)}` },
    });
    return ((await answer.json()) as { readonly access: boolean }).access;
  };
  expect(await hasAccess()).toBe(true);
  const pass = async (time: string) =>
    eventsOf(id, await subrail(desk, 'local', 'time', time, ...desk.chain));

  // A weekly plan is charged four times in a month.
  expect((await pass('+30d')).filter((name) => name === 'renewed')).toHaveLength(4);

  // The wallet has 50 - 5 * 9.99 left, so the next charge fails, and a retry wins it back once there is more.
  expect(await pass('+6d')).toContain('payment_failed');
  await subrail(desk, 'local', 'fund', String(wallet), ...token);
  expect(await pass('+2d')).toContain('renewed');
  expect(await hasAccess()).toBe(true);

  const cancelled = await object(desk, 'local', 'cancel', id, '--wallet', 'ada.json', ...desk.chain);
  expect(cancelled).toMatchObject({ status: 'cancelled', access: true });
  expect(await pass('+7d')).toContain('ended');
  expect(await hasAccess()).toBe(false);
}

test('a shop of one’s own, from a fresh folder to a cancellation, by commands on the database', async () => {
  const { desk, welcome } = await openService();
  await playShop(desk, welcome.url);
});

test('the same from another folder, by commands on a running host', async () => {
  const { desk, welcome } = await openService();
  const { key } = await object(desk, 'key', 'create', '--management', '--name', 'play', '--access', 'write');
  const folder = join(root, 'elsewhere');
  mkdirSync(folder);
  await playShop(
    {
      folder,
      environment: { SUBRAIL_URL: welcome.url, SUBRAIL_KEY: String(key) },
      chain: ['--rpc', welcome.rpcUrl],
    },
    welcome.url,
  );
});

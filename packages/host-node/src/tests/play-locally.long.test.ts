import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { startHost, type HostProcess } from './host-process.js';
import { readWelcome } from './welcome-output.js';

// More than a dozen processes start one after the other.
vi.setConfig({ testTimeout: 400_000 });

const folder = mkdtempSync(join(tmpdir(), 'subrail-play-'));
const processes: HostProcess[] = [];
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): HostProcess {
  const one = startHost(args, folder, environment);
  processes.push(one);
  return one;
}

/** Runs a command to its end, and returns what it wrote. */
async function subrail(...args: readonly string[]): Promise<string> {
  const command = run(args);
  const code = await command.exited;
  const written = command.lines.join('\n');
  expect([args, code, written]).toEqual([args, 0, written]);
  return written;
}

async function object(...args: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await subrail(...args, '--json')) as Record<string, unknown>;
}

/** The lines of a subscription in what `local time` wrote, each as the name of its event. */
const eventsOf = (id: string, written: string): readonly string[] =>
  written
    .split('\n')
    .filter((line) => line.includes(id))
    .map((line) => line.split(/ {2,}/)[2] ?? '');

const COMMANDS_OF_A_SHOP = { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' };

test('a shop of one’s own, from a fresh folder to a cancellation, by commands alone', async () => {
  const { url } = await readWelcome(run(['start'], COMMANDS_OF_A_SHOP));

  const { id: project } = await object('project', 'create', 'My shop');
  const shop = ['--project', String(project)];
  const { key } = await object('key', 'create', ...shop);
  const plan = ['--amount', '9.99', '--every', '7d', '--owner-key', '.subrail/owner.json'];
  await subrail('plan', 'create', 'weekly', ...plan, ...shop);

  const { wallet } = await object('local', 'wallet', '--out', 'ada.json', '--tokens', '50');
  const subscribe = ['local', 'subscribe', '--plan', 'weekly', '--wallet', 'ada.json'];
  const made = await object(...subscribe, '--external-id', 'customer-42');
  expect(made).toMatchObject({ wallet, status: 'active', access: true });
  const id = String(made['id']);
  const hasAccess = async () => {
    const answer = await fetch(`${url}/v1/access?external_id=customer-42&plan=weekly`, {
      headers: { authorization: `Bearer ${String(key)}` },
    });
    return ((await answer.json()) as { readonly access: boolean }).access;
  };
  expect(await hasAccess()).toBe(true);

  // A weekly plan is charged four times in a month.
  const month = eventsOf(id, await subrail('local', 'time', '+30d'));
  expect(month.filter((name) => name === 'renewed')).toHaveLength(4);

  // The wallet has 50 - 5 * 9.99 left, so the next charge fails, and a retry wins it back once there is more.
  const failed = eventsOf(id, await subrail('local', 'time', '+6d'));
  expect(failed).toContain('payment_failed');
  await subrail('local', 'fund', String(wallet));
  expect(eventsOf(id, await subrail('local', 'time', '+2d'))).toContain('renewed');
  expect(await hasAccess()).toBe(true);

  const cancelled = await object('local', 'cancel', id, '--wallet', 'ada.json');
  expect(cancelled).toMatchObject({ status: 'cancelled', access: true });
  expect(eventsOf(id, await subrail('local', 'time', '+7d'))).toContain('ended');
  expect(await hasAccess()).toBe(false);
});

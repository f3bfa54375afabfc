// Heavy: a host is opened with each thing that is left of a local chain.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address } from '@solana/kit';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { FullStore } from '@subrail/core/ports';
import { aPlan, aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { createLocalnet, serveLocalnet, type ServedLocalnet } from '@subrail/localnet';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runHere } from '../command/tests/fake-terminal.js';
import { readConfig } from '../config/read-config.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { configuredEnvironment } from '../service/environment.js';
import { openService, type OpenService } from '../service/open-service.js';
import { createKeyFile } from '../state/signer-file.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const chain = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)) });
let served: ServedLocalnet;
let folder: string;
let charger: string;
const opened: OpenService[] = [];
beforeAll(async () => {
  served = await serveLocalnet(chain, { port: 0 });
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-accident-'));
  charger = (await createKeyFile(join(folder, 'charger.json'))) ?? '';
  writeFileSync(join(folder, 'sealing-key'), randomBytes(32).toString('hex'), { mode: 0o600 });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => served.close());

/** A host on RPC servers that lacks nothing. */
const environment = (): Record<string, string> => ({
  SUBRAIL_CHAIN: served.url,
  SUBRAIL_NETWORK: 'devnet',
  SUBRAIL_CHARGER_KEY_FILE: 'charger.json',
  SUBRAIL_SEALING_KEY_FILE: 'sealing-key',
  SUBRAIL_DATA_DIR: 'data',
  SUBRAIL_PORT: '0',
});

async function start(more: Readonly<Record<string, string>> = {}): Promise<OpenService> {
  const config = readConfig({ ...environment(), ...more }, folder);
  const service = await openService(config, await configuredEnvironment(config), SILENT);
  opened.push(service);
  return service;
}

/** The sentences with which a start is refused. */
const refusal = (more: Readonly<Record<string, string>> = {}): Promise<string> =>
  start(more).then(
    () => 'it started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** Writes into the database before a host opens it. */
async function withStore(
  act: (store: FullStore) => Promise<unknown>,
  path = 'data/subrail.sqlite',
): Promise<void> {
  const { store, close } = await openSqliteStore({ path: join(folder, path) });
  await act(store);
  await close();
}

describe('a host with RPC servers', () => {
  test('starts when nothing is left of the local chain', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  // starting#keys-of-a-local-chain
  test('refuses the keys of a local chain, by file and as text, wherever they were copied to', async () => {
    const local = join(folder, 'demo');
    const config = readConfig({ SUBRAIL_DATA_DIR: local, SUBRAIL_LOCALNET_PORT: '0' }, folder);
    await (await openLocalEnvironment(config, SILENT)).close();
    copyFileSync(join(local, 'charger.json'), join(folder, 'copy.json'));
    const aboutCharger =
      'charger_key is a key of a local chain, which is for trying things out. Make another with "subrail keygen --out charger.json", and send it SOL.';
    const aboutSealing =
      'sealing_key is a key of a local chain, which is for trying things out. Make another with "openssl rand -hex 32".';
    expect(await refusal({ SUBRAIL_CHARGER_KEY_FILE: 'copy.json' })).toBe(aboutCharger);
    expect(await refusal({ SUBRAIL_SEALING_KEY_FILE: 'demo/sealing-key' })).toBe(aboutSealing);
    const { SUBRAIL_CHARGER_KEY_FILE: _, ...rest } = environment();
    for (const name of ['charger.json', 'owner.json', 'wallet.json']) {
      const SUBRAIL_CHARGER_KEY = readFileSync(join(local, name), 'utf8');
      expect(() => readConfig({ ...rest, SUBRAIL_CHARGER_KEY }, folder)).toThrow(aboutCharger);
    }
  });

  // starting#secret-files
  test('refuses a key file that others can read', async () => {
    const path = join(folder, 'charger.json');
    chmodSync(path, 0o644);
    expect(await refusal()).toBe(
      `SUBRAIL_CHARGER_KEY_FILE names ${path}, on which other users have a permission. Run: chmod 600 ${path}`,
    );
  });

  // starting#private-targets-on-rpc-servers
  test('refuses private_targets, and takes a list of hosts', async () => {
    expect(await refusal({ SUBRAIL_PRIVATE_TARGETS: 'true' })).toBe(
      'private_targets is true, which lets webhooks reach every address of your network, and is for the local chain only: remove it, or list the few hosts that webhooks may reach, such as localhost:3000.',
    );
    expect(await refusal({ SUBRAIL_PRIVATE_TARGETS: 'localhost:3000' })).toBe('it started');
  });

  // starting#folder-of-a-local-chain
  test('refuses the data folder of a local chain', async () => {
    const data = join(folder, 'data');
    const config = readConfig({ SUBRAIL_DATA_DIR: data, SUBRAIL_LOCALNET_PORT: '0' }, folder);
    await (await openLocalEnvironment(config, SILENT)).close();
    expect(await refusal()).toBe(
      `data_dir is ${data}, which belongs to a local chain: its keys and its database are for no other network. Choose another folder.`,
    );
  });

  // invariants#database-bound-to-its-chain
  test('refuses a database that was made for another chain, and names both', async () => {
    await (await start()).close();
    const other = await serveLocalnet(createLocalnet({ unixTime: 1n }), { port: 0 });
    const sentence = await refusal({ SUBRAIL_CHAIN: other.url });
    await other.close();
    expect(sentence).toMatch(
      /^The database belongs to a chain of devnet with the genesis hash \w+, but the RPC server is on one with the genesis hash \w+\. Name an RPC server of the database's chain, or use another database\.$/,
    );
    const [first, second] = [...sentence.matchAll(/genesis hash (\w+)/g)].map(([, hash]) => hash);
    expect(first).not.toBe(second);
  });

  test('that follows the time of its chain does so before it answers the first request', async () => {
    const ahead = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)) + 90_000n });
    const moved = await serveLocalnet(ahead, { port: 0 });
    const { billing } = await start({ SUBRAIL_CHAIN: moved.url, SUBRAIL_CLOCK: 'chain' });
    const differenceMs = billing.service.clock.now().getTime() - ahead.now().getTime();
    expect(Math.abs(differenceMs)).toBeLessThan(30_000);
    await moved.close();
  });

  // invariants#devnet-refuses-mainnet
  test('refuses RPC servers of another network than the configured one', async () => {
    expect(await refusal({ SUBRAIL_NETWORK: 'mainnet-beta' })).toMatch(
      /^The service is set up for mainnet-beta, but its RPC server is on devnet \(genesis hash \w+\)\. Name an RPC server of mainnet-beta, or change the network\.$/,
    );
    expect(existsSync(join(folder, 'data', 'subrail.sqlite'))).toBe(true);
    // Nothing was noted, so the right network may use the database.
    expect(await refusal()).toBe('it started');
  });

  // starting#charger-is-no-wallet-of-a-plan
  test.each([
    ['the owner', 'active', () => ({ owner: charger })],
    ['a receiver', 'sunset', () => ({ destinations: [aPlan().owner, charger] })],
  ] as const)(
    'refuses a charger that is %s of a plan, unless a setting says so',
    async (what, status, plan) => {
      await (await start()).close();
      const project = aProject();
      const planned = aPlan({ projectId: project.id, status, ...plan() });
      await withStore(async (store) => {
        await store.insertProject(project);
        await store.insertPlan(planned);
      });
      expect(await refusal()).toBe(
        `The charger ${charger} is also ${what} of ${project.id}/${planned.slug}. Its key is on this machine, so whoever takes the machine over would have the payments too. Give charger_key a wallet of its own, and have the owners of the plans add it as a puller; or set charger_may_own_plans to true if this is intended.`,
      );
      expect(await refusal({ SUBRAIL_CHARGER_MAY_OWN_PLANS: 'true' })).toBe('it started');
    },
  );

  // starting#charger-is-no-wallet-of-a-plan
  test('creates no plan with which it would not start again', async () => {
    const { billing } = await start();
    const { plans } = billing.project((await billing.projects.create({ name: 'Shop' })).id);
    const other = aPlan();
    const common = { name: 'Pro', mint: other.mint, amount: '5000000', period_hours: 720 };
    const sentence = (field: string) =>
      `"${field}" must not name the service's charger ${charger}, whose key is on the machine of the service: use another wallet, or have the operator allow it.`;
    await expect(plans.create({ ...common, owner: charger })).rejects.toThrow(sentence('owner'));
    await expect(plans.create({ ...common, owner: other.owner, destinations: [charger] })).rejects.toThrow(
      sentence('destinations'),
    );
  });

  // starting#charger-is-no-wallet-of-a-plan
  test('does not count a plan of its charger that is over', async () => {
    await (await start()).close();
    const project = aProject();
    await withStore(async (store) => {
      await store.insertProject(project);
      await store.insertPlan(aPlan({ projectId: project.id, status: 'closed', owner: charger }));
    });
    expect(await refusal()).toBe('it started');
  });

  // starting#unfunded-charger
  test('starts with a charger without SOL, and says so in /health until it is funded', async () => {
    const { url, startWorker, billing } = await start();
    startWorker();
    const health = async () =>
      (await (await fetch(`${url}/health`)).json()) as {
        readonly charger: string;
        readonly alerts: readonly { readonly kind: string }[];
      };
    await expect.poll(health).toMatchObject({ charger: 'empty', alerts: [{ kind: 'charger_empty' }] });
    chain.airdrop(address(charger), 1_000_000_000n);
    expect((await health()).charger).toBe('empty');
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ['Date', 'performance'] });
    try {
      await billing.worker.watch();
      vi.advanceTimersByTime(31_000);
      await billing.worker.watch();
    } finally {
      vi.useRealTimers();
    }
    expect(await health()).toMatchObject({ charger: 'ok', alerts: [] });
  });
});

describe('a database that cannot be used', () => {
  const path = () => join(folder, 'data', 'subrail.sqlite');
  /** With what a command ends. A start is refused with the same sentence. */
  const command = async () => {
    const { code, stderr } = await runHere(['doctor'], { folder, environment: environment() });
    expect(stderr).toBe(`${await refusal()}\n`);
    return { code, stderr: stderr.replaceAll(/\s+/g, ' ').trim() };
  };
  const change = (statement: string) => {
    const file = new SqliteFile(path());
    file.exec(statement);
    file.close();
  };
  /** Overwrites the page with which a table or an index begins. */
  const damage = (name: string) => {
    const file = new SqliteFile(path(), { readonly: true });
    const page = file
      .prepare<[string], number>('select rootpage from sqlite_schema where name = ?')
      .pluck()
      .get(name);
    file.close();
    const fd = openSync(path(), 'r+');
    writeSync(fd, Buffer.alloc(4096, 0xa5), 0, 4096, ((page ?? 0) - 1) * 4096);
    closeSync(fd);
  };

  test('ends a command with 1, and each start, with a sentence: when a newer release migrated it', async () => {
    await (await start()).close();
    change("insert into subrail_migrations values ('0999_later#00', '2030-01-01T00:00:00.000Z')");
    expect(await command()).toEqual({
      code: 1,
      stderr:
        'The database has migration 0999_later, which this release does not know: it was migrated by a newer release. Nothing was changed. Use that release or a later one.',
    });
  });

  test('ends a command with 1, and each start, with a sentence: when a guard against a second charge is missing', async () => {
    await (await start()).close();
    change('drop index subscriptions_running');
    expect(await command()).toEqual({
      code: 1,
      stderr:
        "The schema of the database is not the one that its migrations made: subscriptions_running is missing. Nothing was changed. Stop every host and make what differs again: begin; drop index if exists subscriptions_running; CREATE UNIQUE INDEX subscriptions_running on subscriptions (plan_id, wallet) where status in ('active', 'unpaid'); commit;",
    });
  });

  test('ends a command with 1, and each start, with a sentence: when it is damaged', async () => {
    await (await start()).close();
    truncateSync(path(), statSync(path()).size - 4096);
    expect(await command()).toEqual({
      code: 1,
      stderr: `The database ${path()} is damaged. Stop every host, keep the file with those next to it, and restore the newest backup in their place.`,
    });
  });

  test('is not charged with once it is found damaged, and /health says so', async () => {
    await (await start()).close();
    damage('subscription_dates_wake');
    const { url, billing } = await start();
    const { id } = await billing.projects.create({ name: 'Before' });
    const sentence = `The database ${path()} is damaged. Nothing is written to it any more, so nothing is charged.`;
    await expect(billing.worker.charge()).rejects.toThrow(sentence);
    await expect(billing.service.store.insertProject(aProject())).rejects.toThrow(sentence);
    expect(await billing.project(id).retrieve()).toMatchObject({ name: 'Before' });
    const health = await fetch(`${url}/health`);
    expect([health.status, await health.json()]).toMatchObject([
      503,
      {
        status: 'unavailable',
        store: 'unavailable',
        alerts: [{ kind: 'pass_failing', severity: 'error' }],
      },
    ]);
  });
});

// invariants#database-bound-to-its-chain
test('a local chain refuses a database that was made on mainnet-beta, and names both', async () => {
  await withStore(
    (store) => store.claimChainIdentity({ genesisHash: MAINNET, network: 'mainnet-beta', charger }),
    'mainnet.sqlite',
  );
  // There is a local chain already, so only the database is of another network.
  const local = { SUBRAIL_LOCALNET_PORT: '0', SUBRAIL_PORT: '0' };
  await (await openLocalEnvironment(readConfig(local, folder), SILENT)).close();
  const config = readConfig({ ...local, SUBRAIL_DATABASE: 'mainnet.sqlite' }, folder);
  const environmentOfIt = await openLocalEnvironment(config, SILENT);
  await expect(openService(config, environmentOfIt, SILENT)).rejects.toThrow(
    new RegExp(
      `^The database belongs to a chain of mainnet-beta with the genesis hash ${MAINNET}, but the RPC server is on one with the genesis hash `,
    ),
  );
  await environmentOfIt.close();
});

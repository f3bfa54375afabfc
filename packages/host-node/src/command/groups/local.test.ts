import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSolanaRpc } from '@solana/kit';
import { signerFromKeyFile } from '@subrail/adapters/node';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../config/read-config.js';
import { configuredEnvironment } from '../../service/environment.js';
import { openService } from '../../service/open-service.js';
import { openCommandWorld, type CommandWorld } from '../tests/command-world.js';
import { runHere, type Outcome } from '../tests/fake-terminal.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommandWorld();
});
afterAll(() => world.close());

const local = (...args: readonly string[]): Promise<Outcome> => world.run('database', ['local', ...args]);

async function printed(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await local(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('makes a wallet with SOL and tokens once, funds it, and empties it', async () => {
  const made = await printed('wallet', '--out', 'ada.json', '--tokens', '12.5');
  // A shell reads the printed path as one word.
  const { stdout } = await local('wallet', '--out', "ada's.json");
  const file = String.raw`'\S+ada'\\''s\.json'`;
  expect(stdout).toMatch(new RegExp(` local subscribe --plan pro --wallet ${file}\n`));
  expect(stdout).toMatch(new RegExp(` plan create weekly .+ --owner-key ${file}\n$`));
  expect(made).toMatchObject({ tokens: '12.5 dUSD', sol: '1 SOL', file: join(world.folder, 'ada.json') });
  expect((await local('wallet', '--out', 'ada.json')).stderr).toContain('There is a file');
  const wallet = String(made['wallet']);
  expect(await printed('fund', wallet, '--tokens', '7', '--sol', '0')).toMatchObject({
    wallet,
    tokens: '19.5 dUSD',
    sol: '1 SOL',
  });
  expect(await printed('empty', wallet)).toMatchObject({ wallet, taken: '19.5 dUSD' });
  expect(await printed('fund', wallet)).toMatchObject({ tokens: '100 dUSD', sol: '2 SOL' });
});

describe('a wallet', () => {
  let wallet: string;
  let id: string;
  beforeAll(async () => {
    wallet = String((await printed('wallet', '--out', 'grace.json'))['wallet']);
  });

  test('subscribes with the whole checkout', async () => {
    const made = await printed(
      'subscribe',
      '--plan',
      'pro',
      '--wallet',
      'grace.json',
      '--external-id',
      'c-42',
      '--email',
      'grace@example.com',
    );
    expect(made).toMatchObject({ wallet, plan: 'pro', status: 'active', access: true, external_id: 'c-42' });
    id = String(made['id']);
    const { subscription } = await world.shop.subscriptions.detail(id);
    expect(subscription).toMatchObject({ email: 'grace@example.com' });
    expect((await world.shop.access.check({ external_id: 'c-42', plan: 'pro' })).access).toBe(true);
  });

  test('cancels, and takes it back, with its own key alone', async () => {
    const { code, stderr } = await local('cancel', id);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The wallet .* pays for .* with --wallet\.\n$/),
    ]);
    expect(await printed('cancel', id, '--wallet', 'grace.json')).toMatchObject({ id, status: 'cancelled' });
    expect(await printed('cancel', id, '--wallet', 'grace.json', '--undo')).toMatchObject({
      status: 'active',
    });
  });

  test('is frozen, and thawed', async () => {
    expect(await printed('freeze', wallet)).toMatchObject({ frozen: true });
    expect((await local('subscribe', '--plan', 'pro', '--wallet', 'grace.json')).code).toBe(1);
    expect(await printed('freeze', wallet, '--undo')).toMatchObject({ frozen: false });
  });
});

test('subscribes the demo wallet without options, and says what to run next', async () => {
  const { code, stdout } = await local('subscribe', '--plan', 'pro');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^status +active$/m);
  expect(stdout).toContain('local time +30d');
});

test('leads from who is late to the page on which a customer pays', async () => {
  const { wallet, file } = await printed('wallet', '--out', "late's.json");
  const made = await printed('subscribe', '--plan', 'pro', '--wallet', String(file));
  await printed('empty', String(wallet));
  world.advanceHours(31 * 24);
  await world.billing.worker.runUntilIdle();
  const subscription = (...args: readonly string[]) =>
    world.run('database', ['subscription', ...args]).then(({ stdout }) => stdout);
  const late = `${String(made['id'])}\n`;
  expect(await subscription('search', '--late')).toMatch(
    new RegExp(`\nNext: .+ subscription explain ${late}$`),
  );
  expect(await subscription('explain', String(made['id']))).toMatch(
    new RegExp(`\nNext: .+ portal create --subscription ${late}$`),
  );
  expect(await subscription('search', '--id', String(made['id']))).not.toContain('Next:');
  const other = String((await printed('wallet', '--out', 'begun.json'))['wallet']);
  const begun = await world.shop.subscriptions.create({ plan: 'pro', wallet: other });
  const explained = await subscription('explain', begun.subscription.id);
  // A portal has nothing that was not confirmed.
  expect(explained).toContain('Sign the checkout');
  expect(explained).not.toContain('Next:');
});

test('names the data folder in the command to run next, when it is not that of the folder', async () => {
  const dataDir = join(world.folder, '.subrail');
  const elsewhere = join(world.folder, 'elsewhere');
  mkdirSync(elsewhere);
  const { stdout } = await runHere(['local', 'token'], {
    folder: elsewhere,
    environment: { SUBRAIL_DATA_DIR: dataDir },
  });
  expect(stdout).toContain(`\n  SUBRAIL_DATA_DIR=${dataDir} npm start --silent -- local wallet --mint `);
  expect((await local('token')).stdout).toContain('\n  npm start --silent -- local wallet --mint ');
});

test('makes a token that can be paused, and no other token can', async () => {
  const mint = String((await printed('token', '--decimals', '2'))['mint']);
  const wallet = String((await printed('wallet', '--out', 'mary.json', '--mint', mint))['wallet']);
  expect(await printed('fund', wallet, '--tokens', '0.25', '--mint', mint)).toMatchObject({
    tokens: `100.25 ${mint}`,
  });
  const owner = join(world.folder, '.subrail', 'owner.json');
  const { address } = await signerFromKeyFile(owner);
  const plan = { owner: address, mint, amount: '100', period_hours: 24, slug: 'pausable' };
  await world.shop.plans.create({ name: 'Pausable', destinations: [address], ...plan });
  await local('fund', address, '--tokens', '1', '--mint', mint);
  const { transaction } = await world.shop.plans.publish('pausable');
  await sendTransaction(
    createSolanaRpc(world.rpcUrl),
    await signTransaction(await signerFromKeyFile(owner), transaction),
  );
  await world.shop.plans.confirmPublish('pausable');
  const subscribe = () => local('subscribe', '--plan', 'pausable', '--wallet', 'mary.json');

  expect(await printed('pause-mint', mint)).toEqual({ mint, paused: true });
  expect((await subscribe()).code).toBe(1);
  expect(await printed('pause-mint', mint, '--undo')).toEqual({ mint, paused: false });
  const { code, stdout } = await subscribe();
  expect(code).toBe(0);
  // The printed command names the token, and works.
  expect(stdout).toMatch(new RegExp(`local empty ${wallet} --mint ${mint}\\n`));
  const emptied = await local('empty', wallet, '--mint', mint);
  expect(emptied.stdout).toMatch(new RegExp(`local fund ${wallet} --mint ${mint}\\n$`));
  const demoMint = (await signerFromKeyFile(join(world.folder, '.subrail', 'mint.json'))).address;
  expect((await local('pause-mint', demoMint)).stderr).toContain('Nobody can pause the token');
});

test('the creation of a plan says whether its receiver can be paid, and of a link what follows', async () => {
  const run = (...args: readonly string[]) => world.run('database', args);
  const price = ['--amount', '1', '--every', '1d'];
  const create = async (slug: string, ...more: readonly string[]) =>
    (await run('plan', 'create', slug, ...price, '--owner-key', '.subrail/owner.json', ...more)).stdout;
  expect(await create('in-demo-dollars')).toMatch(
    /\nWallets can subscribe to it\.\nNext: .+ link create --plan in-demo-dollars\n$/,
  );
  const mint = String((await printed('token'))['mint']);
  expect(await create('in-others', '--mint', mint)).toMatch(
    /\nWallets can subscribe to it once its receiver \w+ has an account for the token\.\nNext: .+\n$/,
  );
  const owner = await signerFromKeyFile(join(world.folder, '.subrail', 'owner.json'));
  const draft = await run('plan', 'create', 'a-draft', ...price, '--owner', owner.address);
  expect(draft.stdout).toMatch(/\nA wallet has to publish it\.\nNext: .+ plan publish a-draft\n$/);
  const early = await run('link', 'create', '--plan', 'a-draft');
  expect(early.code).toBe(1);
  expect(early.stderr).toMatch(/\(plan_not_on_chain\)\nNext: .+ plan publish a-draft\n$/);
});

test('works on a host over HTTP, with the address of its chain', async () => {
  const args = ['--rpc', world.rpcUrl, '--json'];
  const mint = (await world.shop.plans.list()).plans.find(({ slug }) => slug === 'pro')?.mint ?? '';
  const host = (...given: readonly string[]) => world.run('host', ['local', ...given, ...args]);
  expect((await host('wallet', '--out', 'joan.json')).stderr).toContain('Add --mint');
  expect((await host('wallet', '--out', 'joan.json', '--mint', mint)).code).toBe(0);
  const { stdout } = await host('subscribe', '--plan', 'pro', '--wallet', 'joan.json');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'active' });
});

test('gives a named token on a host with RPC servers, which has no demo token', async () => {
  const folder = join(world.folder, 'rpc');
  mkdirSync(folder);
  let environment: NodeJS.ProcessEnv = {
    SUBRAIL_CHAIN: world.rpcUrl,
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_CHARGER_KEY_FILE: 'charger.json',
    SUBRAIL_SEALING_KEY: '5a'.repeat(32),
    SUBRAIL_DATA_DIR: 'data',
    SUBRAIL_PORT: '0',
  };
  const host = (...args: readonly string[]) => runHere(args, { folder, environment });
  const made = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await host(...args, '--json');
    expect([args, code, stderr]).toEqual([args, 0, '']);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  await host('keygen', '--out', 'charger.json');
  const config = readConfig(environment, folder);
  const service = await openService(config, await configuredEnvironment(config), SILENT);
  onTestFinished(() => service.close());
  const mint = String((await made('local', 'token'))['mint']);
  const { wallet } = await made('local', 'wallet', '--out', 'ada.json', '--mint', mint);
  expect(await made('local', 'fund', String(wallet), '--mint', mint)).toMatchObject({
    tokens: `200 ${mint}`,
  });
  const { code, stderr } = await host('local', 'fund', String(wallet));
  expect([code, stderr]).toEqual([2, expect.stringContaining('"subrail local token" makes one.')]);
  const nowhere = await host('local', 'time', '+1d', '--rpc', 'http://127.0.0.1:1');
  expect(nowhere.stderr).toContain('No chain answers at http://127.0.0.1:1.');
  // Its hosts go by the clock of this machine, so that nothing would come due.
  const moved = await host('local', 'time', '+1d');
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('SUBRAIL_CLOCK=chain')]);
  environment = { ...environment, SUBRAIL_CLOCK: 'chain' };
  expect((await host('local', 'time', '+1h', '--jump')).code).toBe(0);
});

test('says how a wallet gets tokens that has too few to subscribe, which works', async () => {
  const wallet = String((await printed('wallet', '--out', 'poor.json'))['wallet']);
  await printed('empty', wallet);
  const subscribe = () => local('subscribe', '--plan', 'pro', '--wallet', 'poor.json');
  expect((await subscribe()).stderr).toMatch(
    new RegExp(`Give it some:\n  npm start --silent -- local fund ${wallet}\n$`),
  );
  await printed('fund', wallet);
  expect((await subscribe()).code).toBe(0);
});

describe('is refused', () => {
  const running = () => join(world.folder, '.subrail', 'running-host.json');

  test.each([
    [['fund', 'nobody'], '"nobody" is not the address of a wallet.'],
    [['subscribe', '--plan', 'gold'], 'No project has the plan "gold", published.'],
    [['cancel', 'sub_000000000000000000000000'], 'No project has the subscription'],
    [['subscribe', '--plan', 'pro', '--wallet', 'nowhere.json'], 'There is no wallet'],
    [['wallet', '--out', 'x.json', '--rpc', 'http://127.0.0.1:1'], 'No chain answers at http://127.0.0.1:1.'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await runHere(['local', ...args], { folder: world.folder });
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });

  test('on every chain but a local one', async () => {
    const version = { jsonrpc: '2.0', id: '0', result: { 'solana-core': '3.0.0', 'feature-set': 1 } };
    const node = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(version));
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const { code, stderr } = await local('subscribe', '--plan', 'pro', '--rpc', url);
    node.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`The chain at ${url} is not a local one.`)]);
  });

  test('when no host runs', async () => {
    const note = readFileSync(running(), 'utf8');
    writeFileSync(running(), JSON.stringify({ url: 'http://127.0.0.1:1', rpc_url: 'http://127.0.0.1:1' }));
    try {
      const { stderr } = await runHere(['local', 'subscribe', '--plan', 'pro'], { folder: world.folder });
      expect(stderr).toContain('Start the host with "npm start".');
    } finally {
      writeFileSync(running(), note);
    }
  });
});

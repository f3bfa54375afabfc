import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { aDelivery, anEndpoint, aPlan, aProject } from '@subrail/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openCommandWorld, type CommandWorld } from './tests/command-world.js';
import { runHere } from './tests/fake-terminal.js';

describe('on a local chain that was moved, and whose host has stopped', () => {
  let world: CommandWorld;
  let before: number;
  const until = async () => {
    const { stdout } = await world.run('database', ['overview', '--json']);
    return Date.parse((JSON.parse(stdout) as { readonly until: string }).until);
  };
  beforeAll(async () => {
    world = await openCommandWorld();
    world.advanceHours(400 * 24);
    expect(await world.run('database', ['local', 'subscribe', '--plan', 'pro'])).toMatchObject({ code: 0 });
    before = await until();
    await world.stop();
  });
  afterAll(() => world.close());

  test('a command goes by the time of the chain', async () => {
    expect(before - Date.now()).toBeGreaterThan(399 * 24 * 3_600_000);
    expect(Math.abs((await until()) - before)).toBeLessThan(60_000);
  });

  // management#doctor
  test('the doctor says to start the host', async () => {
    const stdout = withoutChain('1 of 1 subscriptions could not be compared with the chain');
    expect(await world.run('database', ['doctor'])).toEqual({ code: 1, stdout, stderr: '' });
  });
});

/** The doctor's answer that nothing was found, though it could not look at the chain. */
const withoutChain = (what: string) =>
  `Nothing was found in what is stored.\n${what}. ` +
  'This needs the local chain, which is in the host, and no host runs. Start one with "npm start", and run this again.\n';

describe('beside a host', () => {
  let world: CommandWorld;
  beforeAll(async () => {
    world = await openCommandWorld();
  });
  afterAll(() => world.close());

  test('what the command does on the database is in the audit log under its user, and what it does over HTTP under its key', async () => {
    for (const way of ['database', 'host'] as const) {
      await world.run(way, ['project', 'create', `From ${way}`]);
    }
    const { data } = await world.billing.management.auditEntries({ limit: 2 });
    expect(data.map(({ actor, operation }) => [actor, operation])).toEqual([
      [expect.stringMatching(/^Tests \(mkey_\w+\)$/), 'projects.create'],
      ['command (ada)', 'projects.create'],
    ]);
  });

  test('shows a table, lists fields, and answers nothing in a word to a person', async () => {
    const { stdout: table } = await world.run('host', ['plan', 'list']);
    expect(table.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^slug +name +status +amount_display +symbol +period_hours +ends_at$/),
      expect.stringMatching(/^pro +Pro +active +5 +dUSD +720 +-$/),
    ]);
    expect((await world.run('host', ['project', 'show'])).stdout).toMatch(/^id +proj_\w+\nname +Demo\n/);
    const { id } = await world.shop.endpoints.create({
      url: 'http://127.0.0.1:1/',
      types: ['subscription.ended'],
    });
    expect((await world.run('host', ['endpoint', 'delete', id, '--yes'])).stdout).toBe('Done.\n');
    expect((await world.run('host', ['endpoint', 'list'])).stdout).toBe('There are none.\n');
  });

  test('colours what a person reads, and nothing of --json', async () => {
    const options = { folder: world.folder, colours: true };
    expect((await runHere(['project', 'list'], options)).stdout).toContain('\u001B[1m');
    expect((await runHere(['project', 'list', '--json'], options)).stdout).not.toContain('\u001B');
  });

  test('asks before it deletes, does nothing after a no, and refuses where nobody can be asked', async () => {
    const { id } = await world.shop.endpoints.create({
      url: 'http://127.0.0.1:1/',
      types: ['subscription.ended'],
    });
    const args = ['endpoint', 'delete', id, '--config', join(world.folder, 'subrail.json')];
    writeFileSync(join(world.folder, 'subrail.json'), '{}');
    const question = `Delete the endpoint ${id}, and everything still to be delivered to it?`;
    expect(await runHere(args, { folder: world.folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${question} Add --yes`) as string,
    });
    const asked: string[] = [];
    const answering = (answer: string) => ({
      folder: world.folder,
      environment: { SUBRAIL_PROJECT: world.projectId },
      ask: (text: string) => Promise.resolve(asked.push(text)).then(() => answer),
    });
    expect(await runHere(['endpoint', 'delete', id], answering('n'))).toMatchObject({
      code: 1,
      stderr: 'Nothing was done.\n',
    });
    expect(asked).toEqual([`${question} [y/N] `]);
    expect(await world.shop.endpoints.list()).toHaveLength(1);
    expect((await runHere(['endpoint', 'delete', id], answering('y'))).code).toBe(0);
    expect(await world.shop.endpoints.list()).toHaveLength(0);
  });

  test('asks for the project when there are several', async () => {
    await world.billing.projects.create({ name: 'Second' });
    const { code, stderr } = await runHere(['plan', 'list'], { folder: world.folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^There are several projects\. Name one with --project or SUBRAIL_PROJECT: proj_\w+ \(/,
      ),
    ]);
    const named = ['plan', 'list', '--project', world.projectId, '--json'];
    expect((await runHere(named, { folder: world.folder })).stdout).toContain('"pro"');
  });

  test('takes the key from a file or the environment before that of the arguments', async () => {
    const environment = { SUBRAIL_KEY_FILE: world.keyFile };
    const wrong = `SUBM_${'x'.repeat(43)}`;
    const args = ['project', 'list', '--url', world.url];
    expect((await runHere([...args, '--key', wrong], { folder: '/', environment })).code).toBe(0);
    const refused = await runHere([...args, '--key', wrong], { folder: '/' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(invalid_api_key)') as string,
    });
    expect(await runHere(args, { folder: '/' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('needs a management key: set SUBRAIL_KEY') as string,
    });
    chmodSync(world.keyFile, 0o644);
    expect((await runHere([...args, '--key-file', world.keyFile], { folder: '/' })).stderr).toContain(
      'Run: chmod 600',
    );
    chmodSync(world.keyFile, 0o600);
  });

  test('says in a sentence that no host answers at the URL', async () => {
    const args = ['project', 'list', '--url', 'http://127.0.0.1:1', '--key', `SUBM_${'x'.repeat(43)}`];
    const refuse = () => Promise.reject(new TypeError('refused'));
    const { code, stderr } = await runHere(args, { folder: '/', fetch: refuse });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^GET \/manage\/v1\/projects got no answer/)]);
  });

  test('status says that all is well, or what is wrong, and exits with code 1 then', async () => {
    const { code, stdout } = await runHere(['status', '--json'], { folder: world.folder });
    const status = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(status).toMatchObject({
      url: world.url,
      health: { status: 'ok', chain: { state: 'ok' } },
      charger: { address: expect.any(String) as string, lamports: expect.stringMatching(/^\d+$/) as string },
      overdue_seconds: { deliveries: 0 },
    });
    expect([code, status['problems']]).toEqual([0, []]);
    expect((await runHere(['status', '--url', world.url], { folder: '/' })).stdout).toMatch(
      /\nAll is well\.\n$/,
    );
    const down = await runHere(['status', '--url', 'http://127.0.0.1:1'], { folder: '/' });
    expect(down).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No host of Subrail answers at http://127.0.0.1:1.') as string,
    });
  });

  // alerts#endpoints
  test('status has the alerts of the host, such as an endpoint that was turned off, until they are over', async () => {
    const receiver = createServer((_, response) => response.writeHead(410).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const { id } = await world.shop.endpoints.create({
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      types: ['subscription.created'],
    });
    await world.run('database', ['local', 'wallet', '--out', 'ada.json']);
    await world.run('database', ['local', 'subscribe', '--plan', 'pro', '--wallet', 'ada.json']);
    await world.billing.worker.runUntilIdle();
    for (const args of [['status'], ['status', '--url', world.url]]) {
      expect(await runHere(args, { folder: world.folder })).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(
          /\n\nWhat is wrong:\n {2}endpoint_turned_off: An endpoint was turned off, .* Repair the receiver, .*\n$/,
        ) as string,
      });
    }
    await world.shop.endpoints.delete(id);
    expect((await runHere(['status'], { folder: world.folder })).code).toBe(0);
  });

  test('status does not take the host of another service for its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subrail-place-'));
    const environment = { SUBRAIL_PORT: new URL(world.url).port };
    await runHere(['init', '--network', 'devnet', '--chain', world.rpcUrl, '--yes'], { folder });
    await (await openSqliteStore({ path: join(folder, '.subrail', 'subrail.sqlite') })).close();
    expect(await runHere(['status'], { folder, environment })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`What answers at ${world.url} is another service`) as string,
    });
    expect((await runHere(['status'], { folder })).stdout).toContain('No host runs on this database.');
    rmSync(folder, { recursive: true });
  });
});

describe('without a host', () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'subrail-place-'));
    await runHere(['init', '--network', 'localnet', '--yes'], { folder });
    await (await openSqliteStore({ path: join(folder, '.subrail', 'subrail.sqlite') })).close();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('works on the database of a local chain, and says in a sentence what needs the chain', async () => {
    expect((await runHere(['project', 'create', 'Shop'], { folder })).code).toBe(0);
    const { address } = JSON.parse((await runHere(['keygen', '--json'], { folder })).stdout) as {
      address: string;
    };
    const args = [
      'plan',
      'create',
      'pro',
      '--amount',
      '5',
      '--every',
      '30d',
      '--owner',
      address,
      '--decimals',
      '6',
    ];
    expect(await runHere(args, { folder })).toMatchObject({
      code: 1,
      stderr:
        'This needs the local chain, which is in the host, and no host runs. Start one with "npm start", and run this again.\n',
    });
    expect((await runHere([...args, '--owner-key', 'keypair.json'], { folder })).stderr).toContain(
      'the command must reach the chain',
    );
    expect(await runHere(['status'], { folder })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No host runs on this database. Start it: npm start') as string,
    });
  });

  test('status says what is overdue although the chain cannot be read', async () => {
    const { store, close } = await openSqliteStore({ path: join(folder, '.subrail', 'subrail.sqlite') });
    const project = aProject();
    const endpoint = anEndpoint({ projectId: project.id });
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await store.insertProject(project);
    await store.insertEndpoint(endpoint);
    await store.insertDeliveries([
      aDelivery({
        projectId: project.id,
        endpointId: endpoint.id,
        eventId: null,
        nextAttemptAt: anHourAgo,
      }),
    ]);
    await close();
    const { stdout } = await runHere(['status', '--json'], { folder });
    expect((JSON.parse(stdout) as { readonly problems: readonly string[] }).problems).toEqual([
      'No host runs on this database. Start it: npm start',
      'The chain cannot be read, so the balance of the charger is not known.',
      'The oldest webhook has been due for 60 minutes.',
    ]);
  });

  // management#doctor
  test('the doctor says to start it also when only the list of what is on chain is missing', async () => {
    const { store, close } = await openSqliteStore({ path: join(folder, '.subrail', 'subrail.sqlite') });
    const project = aProject();
    await store.insertProject(project);
    await store.insertPlan(aPlan({ projectId: project.id }));
    await close();
    const stdout = withoutChain('Nobody looked on the chain for subscriptions that are not on record');
    expect(await runHere(['doctor'], { folder })).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('says that there is no project yet, and how to create one', async () => {
    expect(await runHere(['plan', 'list'], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Create one: subrail project create <name>') as string,
    });
  });
});

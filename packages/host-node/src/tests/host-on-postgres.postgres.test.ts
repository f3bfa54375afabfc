// Heavy: each test plays months by commands, on a database of its own.

import { join } from 'node:path';
import { openPostgresStore } from '@subrail/adapters/postgres';
import { emptyDatabase, withClient, type EmptyDatabase } from '@subrail/test-postgres';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openCommandWorld, WAYS, type CommandWorld } from '../command/tests/command-world.js';
import { runHere } from '../command/tests/fake-terminal.js';

let database: EmptyDatabase;
let closing: (() => Promise<unknown>)[];
beforeEach(async () => {
  closing = [];
  database = await emptyDatabase(inject('postgres'));
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await database.drop();
});

async function openWorld(): Promise<CommandWorld> {
  const world = await openCommandWorld({ SUBRAIL_DATABASE: database.url });
  closing.push(() => world.close());
  return world;
}

test('a host whose database is a Postgres address is paid for a subscription month after month', async () => {
  const world = await openWorld();
  const wallet = join(world.folder, 'wallet.json');
  const local = (...args: readonly string[]) =>
    runHere(args, { folder: world.folder, environment: { SUBRAIL_DATABASE: database.url } });
  expect(await local('local', 'wallet', '--out', wallet, '--tokens', '1000')).toMatchObject({ code: 0 });
  const [plan] = (await world.shop.plans.list()).plans;
  const subscribed = await local('local', 'subscribe', '--plan', plan?.slug ?? '', '--wallet', wallet);
  expect(subscribed).toMatchObject({ code: 0, stdout: expect.stringContaining('active') as string });
  const [{ id } = { id: '' }] = (await world.shop.subscriptions.search({})).data;
  const attempts = async () =>
    (await world.shop.subscriptions.attempts(id)).data.map(({ outcome }) => outcome);
  const paid = ['paid'];
  for (let month = 0; month < 3; month++) {
    world.advanceHours(30 * 24 + 1);
    paid.push('paid');
    // A charge is settled a few seconds after it was sent, by the clock of the chain, which runs.
    await expect.poll(() => world.billing.worker.charge().then(attempts)).toEqual(paid);
  }
  const examined = await world.shop.doctor.examine({});
  expect(examined.findings).toEqual([]);
});

test('commands work on the Postgres database as they do over HTTP', async () => {
  const world = await openWorld();
  for (const way of WAYS) {
    const listed = await world.run(way, ['plan', 'list', '--json']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
  }
});

test('migrate shows what it would do to a Postgres database, does it, and then has nothing to do', async () => {
  const run = (...args: readonly string[]) =>
    runHere(args, { folder: '/', environment: { SUBRAIL_DATABASE: database.url } });
  const dry = await run('migrate', '--dry-run', '--json');
  expect(dry.stdout).not.toContain(new URL(database.url).password);
  const { migrations, migrated } = JSON.parse(dry.stdout) as { migrations: string[]; migrated: boolean };
  expect([migrations[0], migrated]).toEqual(['0001_initial', false]);
  expect(await run('plan', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has no tables of Subrail: set SUBRAIL_DATABASE/) as string,
  });
  expect((await run('migrate')).stdout).toContain('  0001_initial\n');
  expect((await run('migrate')).stdout).toBe(
    'The database has the schema of this release: nothing is to be done.\n',
  );
  await (await openPostgresStore({ url: database.url })).close();
});

test('a command that works on the records refuses a database that lacks what this release has, changes nothing, and says what to run', async () => {
  await (await openPostgresStore({ url: database.url })).close();
  await withClient(database.url, (client) => client.query('drop index plans_ends'));
  const run = (...args: readonly string[]) =>
    runHere(args, { folder: '/', environment: { SUBRAIL_DATABASE: database.url } });
  for (const args of [['project', 'list'], ['project', 'create', 'Shop'], ['doctor'], ['status']])
    expect(await run(...args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^This database is not yet as this release has it, and .* It lacks index plans_ends\. .* or with "subrail migrate"\.$/m,
      ) as string,
    });
  expect((await run('migrate', '--dry-run')).stdout).toBe(
    'These migrations are to be run:\n  index plans_ends\n',
  );
  expect((await run('migrate')).code).toBe(0);
  expect((await run('project', 'list')).stderr).toMatch(/^There is no sealing key/);
});

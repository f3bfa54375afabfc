import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { openBilling, openBillingOnce } from '@subrail/adapters/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openCommandWorld, type CommandWorld } from '../tests/command-world.js';
import { runHere } from '../tests/fake-terminal.js';

/** The options that are printed, as a module. */
interface Printed {
  readonly optionsWith: (
    read: (name: string) => string,
  ) => Parameters<typeof openBilling>[0] & { readonly database: string; readonly charger: string };
}

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommandWorld();
});
afterAll(() => world.close());

const embed = (...args: readonly string[]) => world.run('database', ['local', 'embed', ...args]);

test('one line makes the database of an app, which opens it as printed, also once time was moved', async () => {
  world.advanceHours(40 * 24);
  const { code, stdout, stderr } = await embed(
    'our billing.db',
    '--webhook',
    'http://localhost:3000/webhooks',
  );
  expect([code, stderr]).toEqual([0, '']);
  // The options as the page has them, without what the test cannot import.
  const [, options = ''] = /openBilling\((\{.*?\n {2}\})\);/s.exec(stdout) ?? [];
  const path = (name: string) => join(world.folder, name);
  writeFileSync(path('options.mjs'), `export const optionsWith = (readFileSync) => (${options});\n`);
  const { optionsWith } = (await import(pathToFileURL(path('options.mjs')).href)) as Printed;
  const printed = optionsWith((name) => readFileSync(path(name), 'utf8'));
  const billing = await openBilling({
    ...printed,
    database: path(printed.database),
    charger: path(printed.charger),
  });
  const [, project = ''] = /billing\.project\('(proj_\w+)'\)/.exec(stdout) ?? [];
  const shop = billing.project(project);
  expect((await shop.plans.list()).plans).toMatchObject([{ slug: 'pro', symbol: 'dUSD', available: true }]);
  expect(await shop.endpoints.list()).toMatchObject([{ url: 'http://localhost:3000/webhooks' }]);
  await billing.close();
  // The settings open it too, from any folder.
  const [, lines = ''] = /any folder:\n(.*?)\nIts plan is/s.exec(stdout) ?? [];
  for (const [name, value] of Object.entries(parseEnv(lines)))
    if (name.startsWith('SUBRAIL_')) vi.stubEnv(name, value);
  const [, once = ''] = /= openBillingOnce\(\{ (.+?) \}\);/.exec(stdout) ?? [];
  expect(once).toBe('settings: { privateTargets: true }');
  const opened = await openBillingOnce({ settings: { privateTargets: true } })();
  const { SUBRAIL_PROJECT: named = '' } = process.env;
  expect((await opened.project(named).plans.list()).plans).toHaveLength(1);
  await opened.close();
  vi.unstubAllEnvs();
  expect(stdout).toMatch(/\n {2}SUB_\w+\n/);
  expect(stdout).toMatch(/\n {2}whsec_\S+\n/);
  // The printed commands work as well.
  expect(stdout).toContain("\n  SUBRAIL_DATABASE='our billing.db' ");
  const listed = await runHere(['plan', 'list'], {
    folder: world.folder,
    environment: { SUBRAIL_DATABASE: 'our billing.db' },
  });
  expect(listed.stdout).toMatch(/^pro +Pro +active/m);
});

test('an app without webhooks posts to no address of its machine', async () => {
  const { stdout } = await embed('quiet.db');
  expect(stdout).toContain("clock: 'chain',\n  });");
  expect(stdout).toContain('const open = openBillingOnce();');
});

test('nothing is made where there is a file, or beside no host', async () => {
  expect(await embed('.subrail/subrail.sqlite')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^There is a file .*subrail\.sqlite already\. Give the path of a new one\.$/m,
    ) as string,
  });
  expect(await embed('nowhere/new.db')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^There is no folder .*nowhere\. Make it, and run this again\.$/m,
    ) as string,
  });
  expect(await embed('typed.db', '--webhook', 'localhost:3000')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^--webhook is "localhost:3000": it must be an http or https address/,
    ) as string,
  });
  expect(existsSync(join(world.folder, 'typed.db'))).toBe(false);
  const elsewhere = await world.run('host', ['local', 'embed', 'other.db']);
  expect(elsewhere).toMatchObject({
    code: 1,
    stderr: 'This works beside the host of the local chain: leave --url out.\n',
  });
});

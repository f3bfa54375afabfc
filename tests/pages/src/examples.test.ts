// Heavy: Chromium pays on the pages of examples/checkouts, which Vite builds.

import type { KeyPairSigner } from '@solana/kit';
import { PRICE, storedSubscription } from '@subrail/test-world';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { serveApp, type AppServer } from './app-server.js';
import { openPageWorld, type PageWorld } from './page-world.js';

const FOLDER = fileURLToPath(new URL('../../../examples/checkouts/', import.meta.url));

const NAME = 'Alpha Wallet';

let folder = '';
let pages: PageWorld;
let app: AppServer;

/** Builds the examples with their own Vite, as `npm run build` there does. */
async function build(): Promise<string> {
  const built = await mkdtemp(join(tmpdir(), 'subrail-checkouts-'));
  const vite = dirname(createRequire(join(FOLDER, 'package.json')).resolve('vite/package.json'));
  await promisify(execFile)(
    process.execPath,
    [join(vite, 'bin/vite.js'), 'build', '--outDir', built, '--emptyOutDir', '--logLevel', 'error'],
    { cwd: FOLDER, env: { ...process.env, NODE_ENV: 'production' } },
  );
  return built;
}

beforeAll(async () => {
  [folder, pages] = await Promise.all([build(), openPageWorld()]);
  app = await serveApp(pages.world.billing, pages.world.projectId, folder);
});
afterAll(async () => {
  await app.close();
  await pages.close();
  await rm(folder, { recursive: true });
});

/** Opens an example for a customer who is logged in, with a wallet of this key. */
async function open(example: string, customer: string, key: KeyPairSigner) {
  const cookie = { name: 'customer', value: customer, domain: '127.0.0.1', path: '/' };
  const browser = { expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' } as const;
  const storageState = { cookies: [{ ...cookie, ...browser }], origins: [] };
  return pages.open([{ name: NAME, accounts: [accountOf(key)] }], { storageState }, `${app.url}/${example}/`);
}

// portal#customers-of-an-app
it.each(['html', 'react', 'next', 'vue', 'svelte', 'own-look', 'react/own-look'])(
  'examples/checkouts/%s takes the payment of a customer who is logged in to the app',
  async (example) => {
    const customer = `customer-of-${example.replace('/', '-')}`;
    const shop = pages.world.billing.project(pages.world.projectId);
    const hasAccess = async () => (await shop.access.check({ external_id: customer, plan: 'pro' })).access;
    const opened = await open(example, customer, await pages.world.wallet(10n * PRICE));
    const { page, faults } = opened;
    expect(await hasAccess()).toBe(false);
    await page.getByRole('button', { name: NAME }).click();
    await page.getByRole('button', { name: /^Subscribe and pay/ }).click();
    // The page of Next has nothing but the element, which says so itself.
    await page.getByText(example === 'next' ? /^You are subscribed/ : 'Welcome!').waitFor();
    expect(await hasAccess()).toBe(true);
    expect(faults).toEqual([]);
    await opened.close();
  },
);

it('examples/checkouts/own-look/portal shows what a customer pays for, and cancels it', async () => {
  const key = await pages.world.wallet(10n * PRICE);
  const id = await pages.world.subscribe(key, 'customer-of-portal');
  const opened = await open('own-look/portal', 'customer-of-portal', key);
  const { page, faults } = opened;
  await page.getByRole('heading', { name: 'Pro: 5 tokens every 30 days' }).waitFor();
  await page.getByRole('button', { name: 'Payments' }).click();
  await page.getByText(/: paid$/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: NAME }).click();
  await page.getByText('Cancelled. Solana confirmed it, and nothing more is charged.').waitFor();
  expect((await storedSubscription(pages.world, id)).status).toBe('cancelled');
  expect(faults).toEqual([]);
  await opened.close();
});

it('examples/checkouts/own-look/portal says that a customer has nothing', async () => {
  const opened = await open('own-look/portal', 'customer-of-nothing', await pages.world.wallet(PRICE));
  await opened.page.getByText('This account has no subscription.').waitFor();
  expect(opened.faults).toEqual([]);
  await opened.close();
});

it('examples/checkouts/own-look/portal has no button for an action that it does not know', async () => {
  const key = await pages.world.wallet(10n * PRICE);
  await pages.world.subscribe(key, 'customer-of-news');
  const opened = await open('own-look/portal', 'customer-of-news', key);
  const { page } = opened;
  await page.route('**/api/billing/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"cancel"', '"pause"') });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Payments' }).waitFor();
  expect(await page.getByRole('button').allTextContents()).toEqual(['Payments']);
  await opened.close();
});

// Heavy: Chromium walks through the portal, as desktops and phones do.

import type { KeyPairSigner } from '@solana/kit';
import { DAY, PRICE, storedSubscription } from '@subrail/test-world';
import { refuseRequests, type BrowserWallet } from '@subrail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { accessibilityFaults, openPageWorld, type OpenPage, type PageWorld } from './page-world.js';
import { takePicture } from './screenshots.js';

let pages: PageWorld;
let opened: OpenPage | null = null;
let customers = 0;

beforeAll(async () => {
  pages = await openPageWorld();
});
beforeEach(() => {
  pages.newMinute();
});
afterEach(async () => {
  const faults = opened?.faults ?? [];
  await opened?.close();
  opened = null;
  pages.world.clearFaults();
  expect(faults).toEqual([]);
});
afterAll(() => pages.close());

const NAME = 'Alpha Wallet';

/** A customer whose wallet has paid the first month of the plan `pro`. */
async function subscriber(tokens = 10n * PRICE) {
  customers += 1;
  const externalId = `customer-${customers}`;
  const key: KeyPairSigner = await pages.world.wallet(tokens);
  const wallet: BrowserWallet = { name: NAME, accounts: [accountOf(key)] };
  return { wallet, key, externalId, id: await pages.world.subscribe(key, externalId) };
}

async function open(
  externalId: string,
  wallets: readonly BrowserWallet[],
  options?: BrowserContextOptions,
  more: object = {},
): Promise<Page> {
  const shop = pages.world.billing.project(pages.world.projectId);
  const { url } = await shop.portal.create({ external_id: externalId, ...more });
  opened = await pages.open(wallets, options, `/portal${new URL(url).hash}`);
  return opened.page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const statusOf = async (id: string) => (await storedSubscription(pages.world, id)).status;

it('shows what a customer has and what was paid, cancels and resumes', async () => {
  const { wallet, externalId, id } = await subscriber();
  const page = await open(externalId, [wallet]);
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  await page.getByText('Payments', { exact: true }).click();
  await page.getByText('1 payment, 5 tokens in all.').waitFor();
  await takePicture(page, 'portal-active');
  await press(page, 'Cancel: Pro');
  await page.getByRole('heading', { name: 'Cancel: Pro' }).waitFor();
  await takePicture(page, 'portal-wallets');
  await press(page, NAME);
  await page.getByText('Cancelled. Solana has it').first().waitFor();
  await takePicture(page, 'portal-cancelled');
  expect(await statusOf(id)).toBe('cancelled');
  await press(page, 'Resume: Pro');
  await page.getByText('Resumed.').first().waitFor();
  expect(await statusOf(id)).toBe('active');
});

it('shows why a payment failed, and pays it after topping up', async () => {
  const { wallet, key, externalId, id } = await subscriber(PRICE);
  pages.world.advance(31 * DAY);
  await pages.world.work();
  const page = await open(externalId, [wallet]);
  await page.getByText('the wallet had too little').waitFor();
  await page.getByText('Payments', { exact: true }).click();
  await page.getByText('The wallet had too little of the token.').waitFor();
  await takePicture(page, 'portal-late');
  await pages.world.give(key, 5n * PRICE);
  await press(page, 'Pay now: Pro');
  await pages.world.work();
  await page.getByText('Paid. The subscription goes on.').first().waitFor();
  expect(await statusOf(id)).toBe('active');
});

// Heavy: Chromium walks through the portal, as desktops and phones do.

import type { KeyPairSigner } from '@solana/kit';
import { DAY, PRICE, storedSubscription } from '@subrail/test-world';
import { refuseRequests, type BrowserWallet } from '@subrail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { expectEveryLook } from './every-look.js';
import { holdCalls } from './hold-calls.js';
import { takePicture } from './screenshots.js';
import { agree, cancel, press, shows } from './scenarios/scene.js';
import { sharedPages } from './shared-pages.js';

const pages = sharedPages();
let customers = 0;

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
  const { page } = await pages.open(wallets, options, `/portal${new URL(url).hash}`);
  return page;
}

const statusOf = async (id: string) => (await storedSubscription(pages.world, id)).status;

// portal#routes-of-a-customer, portal#actions-of-a-customer
it('shows what a customer has and what was paid, cancels and resumes', async () => {
  const { wallet, externalId, id } = await subscriber();
  const page = await open(externalId, [wallet], {}, { return_url: 'https://shop.example/account' });
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  await page.getByText('Payments', { exact: true }).click();
  await shows(page, '1 payment, 5 tokens in all.');
  const back = page.getByRole('link', { name: 'Back to Night Library' });
  expect(await back.getAttribute('href')).toBe('https://shop.example/account');
  await expectEveryLook(page, 'portal-active');
  await press(page, 'Cancel: Pro');
  await expectEveryLook(page, 'portal-cancelling');
  await agree(page);
  await page.getByRole('heading', { name: 'Cancel: Pro' }).waitFor();
  await expectEveryLook(page, 'portal-wallets');
  const release = await holdCalls(page, '**/cancel');
  await press(page, NAME);
  await shows(page, 'Preparing it…');
  await expectEveryLook(page, 'portal-acting');
  release();
  await shows(page, 'Cancelled. Solana confirmed it');
  await expectEveryLook(page, 'portal-cancelled');
  expect(await statusOf(id)).toBe('cancelled');
  await press(page, 'Resume: Pro');
  await shows(page, 'Resumed.');
  expect(await statusOf(id)).toBe('active');
});

it('says that a wallet did not sign, and asks it again', async () => {
  const { wallet, externalId, id } = await subscriber();
  const page = await open(externalId, [wallet]);
  await cancel(page);
  await page.getByRole('heading', { name: 'Cancel: Pro' }).waitFor();
  await refuseRequests(page, NAME);
  await press(page, NAME);
  await shows(page, `${NAME} did not allow it.`);
  await refuseRequests(page, NAME, false);
  await press(page, NAME);
  await shows(page, 'Cancelled. Solana confirmed it');
  await press(page, 'Resume: Pro');
  await shows(page, 'Resumed.');
  await refuseRequests(page, NAME);
  await cancel(page);
  await shows(page, `${NAME} did not allow it.`);
  await expectEveryLook(page, 'portal-refused');
  expect(await statusOf(id)).toBe('active');
  await refuseRequests(page, NAME, false);
  await press(page, 'Try again: Cancel');
  await shows(page, 'Cancelled. Solana confirmed it');
});

it('closes what is over, and subscribes again in the portal', async () => {
  const { wallet, externalId, id } = await subscriber();
  const page = await open(externalId, [wallet], {}, { expires_in: 86_400 });
  await cancel(page);
  await press(page, NAME);
  await shows(page, 'Cancelled. Solana confirmed it');
  pages.world.advance(31 * DAY);
  await pages.world.work();
  await pages.closeOpened();
  const later = await open(externalId, [wallet]);
  await press(later, 'Close and get the deposit back: Pro');
  await press(later, NAME);
  await shows(later, 'Closed. Its deposit was returned');
  await expectEveryLook(later, 'portal-closed');
  expect((await storedSubscription(pages.world, id)).endReason).toBe('closed');
  await later
    .locator('subrail-portal')
    .first()
    .evaluate((portal) => portal.setAttribute('chain', 'solana:localnet'));
  await shows(later, 'on a local Solana');
  await press(later, 'Subscribe again: Pro');
  await press(later, NAME);
  await later.getByRole('heading', { name: 'Check and pay' }).waitFor();
  await expectEveryLook(later, 'portal-checkout');
  await press(later, /^Subscribe and pay/);
  await later.getByRole('heading', { name: 'You are subscribed to Pro' }).waitFor();
  await shows(later, 'Receipt');
  await shows(later, 'on a local Solana');
  expect(await later.getByRole('link', { name: 'On Solana’s explorer' }).count()).toBe(0);
  await press(later, 'Show my subscriptions');
  await later.getByRole('article', { name: 'Pro' }).first().waitFor();
  await shows(later, 'Active');
});

// portal#actions-of-a-customer
it('shows why a payment failed, and pays it after topping up', async () => {
  const { wallet, key, externalId, id } = await subscriber(PRICE);
  pages.world.advance(31 * DAY);
  await pages.world.work();
  const page = await open(externalId, [wallet]);
  await page.locator('.notice').getByText('the wallet had too little').waitFor();
  await page.getByText('Payments', { exact: true }).click();
  await shows(page, 'The wallet had too little of the token.');
  // The address to top up, before anything is refused.
  await page.getByText(key.address, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy the address' }).waitFor();
  await expectEveryLook(page, 'portal-late');
  // A cancellation that was declined is another matter.
  const release = await holdCalls(page, '**/cancel');
  await cancel(page);
  await press(page, NAME);
  await shows(page, 'Preparing it…');
  await refuseRequests(page, NAME);
  release();
  await shows(page, `${NAME} did not allow it.`);
  await shows(page, 'had too little. Top it up');
  // A shop that takes no payment asks for no money.
  await page.route('**/session', async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as { readonly subscriptions: readonly object[] };
    const subscriptions = session.subscriptions.map((one) => ({ ...one, paused: true }));
    await route.fulfill({ response, json: { ...session, subscriptions } });
  });
  await press(page, 'Refresh');
  await shows(page, 'The shop has paused this subscription.');
  expect(await page.getByRole('button', { name: 'Copy the address' }).count()).toBe(0);
  await page.unroute('**/session');
  // So does one whose last try by hand failed.
  await page.route('**/session', async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as { readonly subscriptions: readonly object[] };
    const subscriptions = session.subscriptions.map((one) => ({
      ...{ ...one, actions: ['cancel'], next_retry_at: null, retry_deadline: '2026-03-02T00:00:00.000Z' },
    }));
    await route.fulfill({ response, json: { ...session, subscriptions } });
  });
  await press(page, 'Refresh');
  await shows(page, 'No further try to pay the last period is left. Subscribe again once');
  await shows(page, 'Stops');
  expect(await page.getByRole('button', { name: /^Copy the address|^Pay/ }).count()).toBe(0);
  await expectEveryLook(page, 'portal-no-try-left');
  await page.unroute('**/session');
  await press(page, 'Refresh');
  await shows(page, 'had too little. Top it up');
  await press(page, 'Pay 5 tokens now: Pro');
  await shows(page, 'Add 5 tokens: the wallet has to hold 5 tokens.');
  // The outcome says it in place of the sentence before, and below the same button.
  expect(await page.getByText('had too little. Top it up').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(1);
  await expectEveryLook(page, 'portal-short');
  // So does that of a charge that was ordered and failed.
  await page.route('**/retry', (route) => route.fulfill({ json: {} }));
  await press(page, 'Pay 5 tokens now: Pro');
  await shows(page, 'The payment did not go through. Top up the wallet');
  expect(await page.getByText('had too little. Top it up').count()).toBe(0);
  await page.unroute('**/retry');
  await pages.world.give(key, 5n * PRICE);
  const ordered = page.waitForResponse('**/retry');
  await press(page, 'Pay 5 tokens now: Pro');
  await ordered;
  await pages.world.work();
  await shows(page, 'Paid. The subscription goes on.');
  expect(await statusOf(id)).toBe('active');
});

it('says that there is no subscription yet, in the language of the session', async () => {
  const page = await open('nobody', [], {}, { locale: 'de' });
  await shows(page, 'Sie haben hier noch kein Abonnement.');
  await takePicture(page, 'portal-empty-de');
});

// portal#portal-without-a-session
it('is the cancel page without a session', async () => {
  const { page } = await pages.open([], {}, '/portal');
  await page.waitForURL(`${pages.url}/cancel`);
  await shows(page, 'You need a Solana wallet.');
});

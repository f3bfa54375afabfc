// Heavy: Chromium walks through the page, as desktops and phones do.

import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { sendTransaction } from '@subrail/localnet';
import {
  createCall,
  DAY,
  PRICE,
  sendsLost,
  storedSubscription,
  submitCheckout,
  type ChainFault,
  type IssuedCheckout,
} from '@subrail/test-world';
import { refuseRequests, switchAccounts, type BrowserWallet } from '@subrail/testing';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { expectEveryLook } from './every-look.js';
import { focusedText } from './focused-text.js';
import { agree } from './scenarios/scene.js';
import { takePicture } from './screenshots.js';
import { sharedPages } from './shared-pages.js';

const pages = sharedPages();

/** A wallet of the browser whose key has paid the first month of the plan `pro`. */
async function subscriber(
  name = 'Alpha Wallet',
): Promise<BrowserWallet & { id: string; key: KeyPairSigner }> {
  const key = await pages.world.wallet(10n * PRICE);
  return { name, accounts: [accountOf(key)], key, id: await pages.world.subscribe(key) };
}

async function open(wallets: readonly BrowserWallet[], options?: BrowserContextOptions): Promise<Page> {
  const { page } = await pages.open(wallets, options);
  return page;
}

async function connected(wallet: BrowserWallet, options?: BrowserContextOptions): Promise<Page> {
  const page = await open([wallet], options);
  await act(page, wallet.name);
  return page;
}

const cards = (page: Page): Locator => page.getByRole('article');
const said = (page: Page): Locator => cards(page).first().locator('.notice');
const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Does an action to the first subscription, up to the wallet. */
async function change(page: Page, name: string): Promise<void> {
  await cards(page)
    .first()
    .getByRole('button', { name: new RegExp(`^${name}: `) })
    .click();
  if (name === 'Cancel') await agree(page);
}
const statusOf = async (id: string) => (await storedSubscription(pages.world, id)).status;

/** The text of a place, without the breaks of its source. */
const textOf = async (place: Locator) => ((await place.textContent()) ?? '').replace(/\s+/g, ' ');

/** Waits until a place of the page shows a text. */
const shows = (place: Locator, text: string | RegExp) => place.filter({ hasText: text }).waitFor();

// cancel-page#what-the-page-shows, cancel-page#no-key-and-no-signature-to-look
it('shows what a wallet is subscribed to, without a signature', async () => {
  const wallet = await subscriber();
  const page = await connected(wallet);
  const card = cards(page).first();
  await card.waitFor();
  expect(await card.getByRole('heading', { name: 'Pro, Night Library' }).count()).toBe(1);
  const text = await textOf(card);
  for (const part of [
    'Active',
    '5 tokens every 30 days',
    'Next payment 5 tokens, ',
    '1 payment, 5 tokens in all',
  ])
    expect(text).toContain(part);
  expect(await page.getByRole('status').textContent()).toBe('One subscription.');
});

// cancel-page#what-the-page-shows, plans#token-verification
it('shows amounts of a verified token by its symbol', async () => {
  const { mint } = pages.world.token;
  pages.vouchFor([{ mint, symbol: 'NITE', name: 'Night dollar', logoUrl: null }]);
  const page = await connected(await subscriber());
  const card = cards(page).first();
  await card.waitFor();
  const text = await textOf(card);
  for (const part of ['5 NITE every 30 days', 'Next payment 5 NITE, ', '1 payment, 5 NITE in all'])
    expect(text).toContain(part);
  expect(text).not.toContain('tokens');
});

// cancel-page#actions-of-a-wallet
it('cancels, resumes, cancels again and closes, and the record follows', async () => {
  const { id, ...wallet } = await subscriber();
  const page = await connected(wallet);
  await change(page, 'Cancel');
  await shows(said(page), 'Cancelled. Solana confirmed it');
  expect(await statusOf(id)).toBe('cancelled');
  await takePicture(page, 'cancelled');
  await change(page, 'Resume');
  await shows(said(page), 'Resumed.');
  expect(await statusOf(id)).toBe('active');
  await change(page, 'Cancel');
  await shows(said(page), 'Cancelled. Solana confirmed it');
  pages.world.advance(31 * DAY);
  await pages.world.work();
  await page.reload();
  await act(page, wallet.name);
  await shows(cards(page), 'You can close it and get the deposit back.');
  await takePicture(page, 'closable');
  await change(page, 'Close and get the deposit back');
  await shows(said(page), 'Closed.');
  await takePicture(page, 'closed');
  expect((await storedSubscription(pages.world, id)).endReason).toBe('closed');
  expect(await page.getByRole('button', { name: /Cancel|Resume|Close/ }).count()).toBe(0);
});

// cancel-page#transactions-that-are-sent
it('lets a wallet send by itself that cannot only sign', async () => {
  const { id, ...wallet } = await subscriber('Sending Wallet');
  const page = await connected({ ...wallet, send: (wire) => sendTransaction(pages.world.rpc, wire) });
  await change(page, 'Cancel');
  await shows(said(page), 'Cancelled. Solana confirmed it');
  expect(await statusOf(id)).toBe('cancelled');
});

describe('what goes wrong', () => {
  it('says that a wallet did not connect, and connects it the next time', async () => {
    const wallet = await subscriber();
    const page = await open([wallet]);
    await refuseRequests(page, wallet.name);
    await act(page, wallet.name);
    await shows(page.locator('.notice'), `${wallet.name} did not allow it. Nothing was charged. Try again.`);
    await refuseRequests(page, wallet.name, false);
    await act(page, wallet.name);
    await cards(page).first().waitFor();
  });

  it('says that a wallet did not sign, and that nothing was changed', async () => {
    const { id, ...wallet } = await subscriber();
    const page = await connected(wallet);
    await cards(page).first().waitFor();
    await refuseRequests(page, wallet.name);
    await change(page, 'Cancel');
    await shows(said(page), 'did not allow it. Nothing was changed: the subscription is not cancelled.');
    expect(await statusOf(id)).toBe('active');
    await refuseRequests(page, wallet.name, false);
    await change(page, 'Cancel');
    await shows(said(page), 'Cancelled. Solana confirmed it');
  });

  // cancel-page#when-the-page-says-that-nothing-was-changed
  it('says that Solana does not answer before anything was sent, and that nothing was changed', async () => {
    const { id, ...wallet } = await subscriber();
    const page = await connected(wallet);
    pages.world.injectFaults(CHAIN_SILENT);
    await change(page, 'Cancel');
    await shows(
      said(page),
      /Solana does not answer at the moment.* Nothing was changed: the subscription is not cancelled/,
    );
    pages.world.clearFaults();
    pages.world.forgiveErrors('The chain does not answer.');
    expect(await statusOf(id)).toBe('active');
  });

  // cancel-page#when-the-page-says-that-nothing-was-changed
  it('does not say that nothing was changed once the transaction may have been sent', async () => {
    const unsettled = 'it may still take effect. Look again in a minute before you try again.';
    const { id, ...wallet } = await subscriber();
    const page = await connected(wallet);
    pages.world.injectFaults(sendsLost);
    await change(page, 'Cancel');
    await shows(said(page), unsettled);
    pages.world.clearFaults();
    pages.world.forgiveErrors('The chain does not answer.');
    await page.reload();
    await page.route('**/confirm', (route) => route.abort());
    await act(page, wallet.name);
    await change(page, 'Cancel');
    await shows(said(page), unsettled);
    await page.unroute('**/confirm');
    expect(await statusOf(id)).toBe('active');
    await change(page, 'Cancel');
    await shows(said(page), 'It is cancelled on Solana already.');
  });

  it('says that the service cannot be reached, and tries again', async () => {
    const wallet = await subscriber();
    const page = await open([wallet]);
    await page.context().setOffline(true);
    await act(page, wallet.name);
    await shows(page.locator('.notice'), 'The service cannot be reached.');
    await page.context().setOffline(false);
    await act(page, 'Try again');
    await cards(page).first().waitFor();
  });

  // cancel-page#limit-of-the-page
  it('says for how long its network has to wait at the limit', async () => {
    const wallet = await subscriber();
    const path = `${pages.url}/wallet/v1/${wallet.key.address}/subscriptions`;
    await Promise.all(Array.from({ length: 60 }, () => fetch(path)));
    const page = await connected(wallet);
    await shows(page.locator('.notice'), /This was tried too often. Try again in \d+ seconds./);
    pages.newMinute();
    await act(page, 'Try again');
    await cards(page).first().waitFor();
  });

  it('says what to do about a wallet on another network', async () => {
    const { key } = await subscriber();
    await connected({ name: 'Main Wallet', accounts: [accountOf(key)], chains: ['solana:mainnet'] }).then(
      (page) =>
        shows(
          page.locator('.notice'),
          'Main Wallet has no account on Solana devnet. Switch its network, and connect it again.',
        ),
    );
  });

  it('says what to do without a wallet, and notices one that comes later', async () => {
    const page = await open([]);
    await page.getByRole('heading', { name: 'No wallet was found' }).waitFor();
    await page.getByText('You need a Solana wallet.').waitFor();
    await takePicture(page, 'no-wallet');
    await pages.closeOpened();
    const wallet = await subscriber();
    const late = await open([wallet]);
    await late.getByRole('heading', { name: 'Choose your wallet' }).waitFor();
    await late.getByRole('button', { name: wallet.name }).waitFor();
  });

  // cancel-page#where-a-wallet-cancels
  it('says how to cancel without JavaScript', async () => {
    const page = await open([], { javaScriptEnabled: false });
    await page.getByText('For developers').click();
    const text = await page.locator('main').innerText();
    expect(text).toContain('Switch it on and reload the page, or cancel in one of the ways below.');
    expect(text).toContain('revoke the approval of the token that you pay with');
    expect(text).toContain(`curl -s '${pages.url}/wallet/v1/<wallet>/subscriptions'`);
    await takePicture(page, 'no-javascript');
    const german = await open([], { javaScriptEnabled: false, locale: 'de-AT' });
    expect(await german.title()).toBe('Ihre Abonnements · Night <b>Billing</b>');
    await german.getByRole('heading', { name: 'Andere Wege zu kündigen' }).waitFor();
    await takePicture(german, 'no-javascript-de');
  });
});

describe('wallets and accounts', () => {
  it('offers each wallet, and changes from one to another', async () => {
    const [one, other] = [
      await subscriber('Alpha Wallet'),
      { name: 'Beta Wallet', accounts: [accountOf(await generateKeyPairSigner())] },
    ];
    const page = await open([one, other]);
    await act(page, 'Alpha Wallet');
    await cards(page).first().waitFor();
    await act(page, 'Use another wallet');
    expect(await cards(page).count()).toBe(0);
    await act(page, 'Beta Wallet');
    await page.getByText('This wallet has no subscription here.').first().waitFor();
    expect(await page.getByText('Beta Wallet', { exact: true }).count()).toBe(1);
  });

  it('follows a wallet to another account, and lets a person choose among several', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const wallet = { name: 'Alpha Wallet', accounts: [accountOf(one.key), accountOf(other.key)] };
    const page = await connected(wallet);
    await cards(page).first().waitFor();
    await switchAccounts(page, wallet.name, [other.key.address]);
    await page.getByTitle(other.key.address, { exact: true }).first().waitFor();
    await switchAccounts(page, wallet.name, [one.key.address, other.key.address]);
    await page.getByLabel('Account').selectOption(one.key.address);
    await cards(page).first().waitFor();
    await change(page, 'Cancel');
    await shows(said(page), 'Cancelled. Solana confirmed it');
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['cancelled', 'active']);
    await switchAccounts(page, wallet.name, []);
    await shows(page.locator('.notice'), 'Alpha Wallet gave no account. Unlock it, and connect it again.');
    expect(await cards(page).count()).toBe(0);
  });
});

// cancel-page#where-a-wallet-cancels
it('shows names as they are, whatever is in them', async () => {
  const { world } = pages;
  const name = '<img src=x onerror=alert(1)>';
  const project = await world.billing.projects.create({ name: '"><script>alert(2)</script>' });
  await world.publishPlan(project.id, 'hostile', { name });
  const { key } = await world.billing.project(project.id).keys.create();
  const wallet = await world.wallet(10n * PRICE);
  const call = createCall(world.billing, key);
  const { body } = await call('POST', '/subscriptions', {
    plan: 'hostile',
    wallet: wallet.address,
    external_id: '1',
  });
  await submitCheckout({ call }, wallet, body as unknown as IssuedCheckout);
  const page = await connected({ name: '<b>Evil</b> Wallet', accounts: [accountOf(wallet)] });
  await cards(page).first().waitFor();
  expect(await cards(page).first().locator('bdi').first().textContent()).toBe(
    `${name}, "><script>alert(2)</script>`,
  );
  expect(await page.locator('main img:not([alt=""]), main script, main b').count()).toBe(0);
  expect(await page.title()).toBe('Your subscriptions – Night <b>Billing</b>');
});

it('works with the keyboard alone, and shows where it is', async () => {
  const { id, ...wallet } = await subscriber();
  const page = await open([wallet]);
  await page.keyboard.press('Tab');
  const focused = () => focusedText(page);
  expect(await focused()).toBe(wallet.name);
  expect(await page.evaluate(outlineOfFocus)).not.toBe('none');
  await takePicture(page, 'keyboard');
  await page.keyboard.press('Enter');
  await cards(page).first().waitFor();
  expect(await focused()).toBe('Your subscriptions');
  for (const next of ['Use another wallet', 'Cancel']) {
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(next);
  }
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('Keep it');
  await page.keyboard.press('Escape');
  expect(await focused()).toMatch('Cancel');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('Cancel the subscription');
  await page.keyboard.press('Enter');
  await shows(said(page), 'Cancelled. Solana confirmed it');
  expect(await statusOf(id)).toBe('cancelled');
  expect(await focused()).toMatch(/^Cancelled\./);
  for (const next of ['Resume', /^Payments: 1 payment/, 'Addresses', 'Refresh']) {
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(next);
  }
});

it('has no fault of accessibility at any width and in either colour scheme', async () => {
  const { id: _, ...wallet } = await subscriber();
  const page = await connected(wallet);
  await cards(page).first().waitFor();
  for (const details of await page.locator('summary').all()) await details.click();
  await expectEveryLook(page, 'subscriptions');
  await refuseRequests(page, wallet.name);
  await change(page, 'Cancel');
  await shows(said(page), 'did not allow it');
  await expectEveryLook(page, 'refused');
  await act(page, 'Use another wallet');
  await expectEveryLook(page, 'wallets');
});

it('speaks German to whoever asks for it', async () => {
  const { id: _, ...wallet } = await subscriber();
  const page = await connected(wallet, { locale: 'de-DE' });
  await cards(page).first().waitFor();
  expect(await page.getByRole('status').textContent()).toBe('Ein Abonnement.');
  await refuseRequests(page, wallet.name);
  await change(page, 'Kündigen');
  await takePicture(page, 'cancelling-de');
  await act(page, 'Abonnement kündigen');
  await shows(said(page), 'Nichts wurde geändert: Das Abonnement ist nicht gekündigt.');
  await takePicture(page, 'subscriptions-de');
});

// cancel-page#where-a-wallet-cancels
it('is reached from the address that the terms name, and loads its own files only', async () => {
  const { page } = await pages.open([]);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(pages.url);
  expect(page.url()).toBe(`${pages.url}/cancel`);
  expect(requested.filter((url) => !url.startsWith(pages.url) && !url.startsWith('data:'))).toEqual([]);
});

/** The chain answers no read. */
const CHAIN_SILENT: ChainFault = () => ({
  readCharges: async (targets) => targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } })),
});

/** How the element that has the focus is outlined. */
function outlineOfFocus(): string {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement != null) active = active.shadowRoot.activeElement;
  return active === null ? 'none' : getComputedStyle(active).outlineStyle;
}

// Heavy: Chromium pays for subscriptions, as desktops and phones do.

import { type KeyPairSigner } from '@solana/kit';
import { PRICE } from '@subrail/test-world';
import { refuseRequests, type BrowserWallet } from '@subrail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { accessibilityFaults, openPageWorld, type OpenPage, type PageWorld } from './page-world.js';
import { takePicture } from './screenshots.js';

let pages: PageWorld;
let opened: OpenPage | null = null;

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

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

const shop = () => pages.world.billing.project(pages.world.projectId);

/** The path of a new checkout, with its secret. */
async function checkoutPath(more: object = {}): Promise<string> {
  const { url } = await shop().checkouts.create({ plan: 'pro', ...more });
  return `/checkout${new URL(url).hash}`;
}

async function linkPath(more: object = {}): Promise<string> {
  const { id } = await shop().links.create({ plan: 'pro', ...more });
  return `/checkout/${id}`;
}

/** A wallet whose questions wait until they are answered. */
function askingWallet(key: KeyPairSigner) {
  const account = accountOf(key);
  let answer: () => void = () => undefined;
  const asked = () =>
    new Promise<void>((resolve) => {
      answer = resolve;
    });
  const wallet: BrowserWallet = {
    name: 'Alpha Wallet',
    accounts: [
      {
        ...account,
        signMessage: async (text) => {
          await asked();
          return account.signMessage(text);
        },
        signTransaction: async (transaction) => {
          await asked();
          return account.signTransaction(transaction);
        },
      },
    ],
  };
  return { wallet, approve: () => answer() };
}

async function open(
  path: string,
  wallets: readonly BrowserWallet[],
  options?: BrowserContextOptions,
): Promise<Page> {
  opened = await pages.open(wallets, options, path);
  return opened.page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

it('pays for a subscription by a plan link', async () => {
  const key = await pages.world.wallet(10n * PRICE);
  const { wallet, approve } = askingWallet(key);
  const page = await open(await linkPath({ ask_email: true }), [wallet]);
  await heading(page, 'Pay with your wallet');
  await takePicture(page, 'checkout-wallets');
  await press(page, 'Alpha Wallet');
  await heading(page, 'Check and pay');
  await takePicture(page, 'checkout-review');
  await page.getByLabel('Email').fill('ada@example.com');
  await press(page, /^Subscribe and pay/);
  await heading(page, 'Sign the terms in Alpha Wallet');
  await takePicture(page, 'checkout-terms');
  approve();
  await heading(page, 'Approve the payment in Alpha Wallet');
  await takePicture(page, 'checkout-payment');
  approve();
  await heading(page, /^You are subscribed to/);
  await takePicture(page, 'checkout-complete');
});

it.each(['light', 'dark'] as const)('has no fault of accessibility in %s colours', async (colorScheme) => {
  for (const width of [320, 1280]) {
    pages.newMinute();
    const key = await pages.world.wallet(10n * PRICE);
    const wallet = { name: 'Alpha Wallet', accounts: [accountOf(key)] };
    const page = await open(await linkPath({ ask_email: true }), [wallet], {
      colorScheme,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    });
    const check = async (name: string) => {
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await takePicture(page, `checkout-${name}-${colorScheme}-${width}`);
    };
    await heading(page, 'Pay with your wallet');
    for (const details of await page.locator('summary').all()) await details.click();
    await page.getByRole('img', { name: 'A QR code' }).waitFor();
    await check('wallets');
    await press(page, 'Alpha Wallet');
    await heading(page, 'Check and pay');
    for (const details of await page.locator('summary').all()) await details.click();
    await check('review');
    await refuseRequests(page, 'Alpha Wallet');
    await press(page, /^Subscribe and pay/);
    await heading(page, 'Not signed yet');
    await check('refused');
    await refuseRequests(page, 'Alpha Wallet', false);
    await press(page, 'Try again');
    await heading(page, /^You are subscribed to/);
    await check('complete');
    await opened?.close();
  }
});

it('says what to do without a wallet, on a desk and on a phone', async () => {
  const page = await open(await checkoutPath(), []);
  await heading(page, 'No wallet was found');
  await page.getByText('Pay on your phone', { exact: true }).click();
  await page.getByRole('img', { name: 'A QR code' }).waitFor();
  await takePicture(page, 'checkout-no-wallet');
  await opened?.close();
  const phone = await open(await checkoutPath(), [], PHONE);
  await phone.getByRole('link', { name: 'Open in Phantom' }).waitFor();
  await takePicture(phone, 'checkout-no-wallet-phone');
});

it('says that the page has no key', async () => {
  const page = await open('/checkout', []);
  await heading(page, 'This did not work');
  await takePicture(page, 'checkout-no-key');
});

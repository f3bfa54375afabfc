// Heavy: Chromium meets wallets and callers that mean harm, and pays all the same.

import { ENGLISH } from '@subrail/browser';
import { PRICE } from '@subrail/test-world';
import type { BrowserWallet } from '@subrail/testing';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addOwnWallets, type OwnWallet } from './own-wallets.js';
import { heading, isPaid, NAME, openScene, pay, press, review, shows, words } from './scene.js';

const scene = openScene({ trustedProxies: 1 });

const TERMS = words.signTerms(NAME);
const PAYMENT = words.signPayment(NAME);

/** Opens a page that has these wallets besides those of people. */
async function openWith(own: readonly OwnWallet[], wallets: readonly BrowserWallet[]) {
  const opened = await scene.open('/pages/style.css', wallets);
  await addOwnWallets(opened.page.context(), own);
  await opened.page.goto(scene.pages.url + (await scene.checkoutPath()));
  return opened;
}

async function payAndLook(page: Page): Promise<void> {
  await heading(page, words.review);
  await pay(page);
  await isPaid(page);
}

describe('a wallet', () => {
  it('that signs no texts is listed with the reason, and asked nothing', async () => {
    const payer = await scene.payer();
    const { page } = await openWith(
      [
        {
          name: "'Mute Wallet'",
          connect: '() => { globalThis.wasAsked = true; }',
          features: "'solana:signTransaction': { version: '1.0.0', signTransaction() {} }",
        },
      ],
      [payer.wallet],
    );
    await shows(page, ENGLISH.problems.wallet_signs_no_messages);
    const button = page.getByRole('button', { name: 'Mute Wallet' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.click({ force: true });
    await heading(page, words.chooseWallet);
    expect(await page.evaluate(() => 'wasAsked' in globalThis)).toBe(false);
  });

  it('with a hostile name or picture stands beside the others, and reaches nobody', async () => {
    const payer = await scene.payer();
    const script = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>`;
    const { page, requests } = await openWith(
      [
        { name: "'Scripted'", icon: `'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(script)})` },
        { name: "'Called'", icon: "'javascript:alert(1)'" },
        { name: "'Loaded'", icon: "'http://evil.example/icon.png'" },
        { name: "'Styled'", icon: `'data:image/png," style="background:url(http://evil.example/)'` },
        { name: "'Large'", icon: "'data:image/png;base64,' + 'A'.repeat(5_000_000)" },
        { name: "'\\u202ereversed\\u2066 <img src=x onerror=alert(1)>'" },
        { name: "'Long'.repeat(250_000)" },
      ],
      [payer.wallet],
    );
    await page.getByRole('button', { name: 'Scripted' }).waitFor();
    expect(await page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
    const list = await page.getByRole('list').first().boundingBox();
    expect(list?.height ?? Infinity).toBeLessThan(2_000);
    await press(page, NAME);
    await payAndLook(page);
    await scene.expectPaidOnce(payer);
    for (const request of requests)
      expect(new URL(request.url()).origin).toMatch(
        request.url().startsWith('data:') ? 'null' : scene.pages.url,
      );
  });

  it.each([
    ['no features', 'wallet.features = undefined'],
    ['no chains', 'wallet.chains = null'],
    ['no name', 'wallet.name = 7'],
    ['no picture', 'wallet.icon = undefined'],
    ['fields that throw', "Object.defineProperty(wallet, 'chains', { get() { throw new Error('No.'); } })"],
  ])('that has %s stops no other one', async (_, breaks) => {
    const payer = await scene.payer();
    const { page } = await openWith([], [payer.wallet]);
    await heading(page, words.chooseWallet);
    await page.evaluate(`{
      const wallet = {
        version: '1.0.0', name: 'Broken', icon: 'data:image/png;base64,AA==', chains: ['solana:devnet'],
        accounts: [], features: { 'standard:connect': { version: '1.0.0', connect() {} } },
      };
      ${breaks};
      const register = (api) => api.register(wallet);
      dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
    }`);
    await press(page, NAME);
    await payAndLook(page);
    await scene.expectPaidOnce(payer);
  });

  it('is found among 300 that register at once', async () => {
    const payer = await scene.payer();
    const { page } = await openWith(
      Array.from({ length: 300 }, (_, index) => ({ name: `'Wallet number ${index}'` })),
      [payer.wallet],
    );
    await page.getByRole('button', { name: 'Wallet number 299' }).waitFor();
    await press(page, NAME);
    await payAndLook(page);
    await scene.expectPaidOnce(payer);
  });

  it('that switches its accounts a thousand times while it is asked pays once, by the last one', async () => {
    const [payer, other] = [await scene.payer({ asks: true }), await scene.payer()];
    const accounts = [...payer.wallet.accounts, ...other.wallet.accounts];
    const { page, requests } = await openWith([], [{ name: NAME, accounts }]);
    await review(page);
    await pay(page);
    await heading(page, TERMS);
    const before = requests.length;
    await page.evaluate(`(async () => {
      const wallet = subrailTestWallets[${JSON.stringify(NAME)}];
      const accounts = ${JSON.stringify([other.key.address, payer.key.address])};
      for (let turn = 0; turn < 1_000; turn += 1) {
        wallet.switchAccounts([accounts[turn % 2]]);
        if (turn % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })()`);
    await heading(page, words.review);
    await page.locator(`[title="${payer.key.address}"]`).waitFor();
    // The service is not asked for each of them.
    expect(requests.length - before).toBeLessThan(20);
    await pay(page);
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    payer.approve();
    await isPaid(page);
    await scene.expectPaidOnce(payer);
    expect(await scene.world.holding(other.key)).toBe(10n * PRICE);
  });

  it('that never answers is left, and one that answers after it was left pays nothing', async () => {
    const payer = await scene.payer({ asks: true });
    const { page, requests } = await openWith([{ name: "'Silent Wallet'" }], [payer.wallet]);
    await press(page, 'Silent Wallet');
    await heading(page, words.connectTo('Silent Wallet'));
    await press(page, words.back);
    await review(page);
    await pay(page);
    await heading(page, TERMS);
    await press(page, words.back);
    await heading(page, words.review);
    payer.approve();
    await pay(page);
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    await press(page, words.back);
    await heading(page, words.review);
    payer.approve();
    await pay(page);
    await heading(page, PAYMENT);
    payer.approve();
    await isPaid(page);
    // The late signature was thrown away: one payment of the two was sent.
    expect(payer.questions).toEqual(['terms', 'terms', 'payment', 'payment']);
    expect(requests.filter((request) => request.url().endsWith('/submit'))).toHaveLength(1);
    await scene.expectPaidOnce(payer);
  });
});

// checkout-sessions#rate-limit-of-sessions
describe('an address that floods the service', () => {
  const from = (address: string) => ({ extraHTTPHeaders: { 'X-Forwarded-For': address } });

  it.each<{
    readonly name: string;
    readonly address: string;
    /** The path of the calls, of a link, and what opens a page that makes them too. */
    readonly path: (link: string) => string;
    readonly opens: (link: string) => string;
    readonly method: 'GET' | 'POST';
  }>([
    {
      name: 'with made-up secrets',
      address: '198.51.100.1',
      path: () => '/session',
      opens: () => `/checkout#chs_${'z'.repeat(43)}`,
      method: 'GET',
    },
    {
      name: 'with visits of a link',
      address: '198.51.100.2',
      path: (link) => `/links/${link.replace(/^.*\//, '')}/sessions`,
      opens: (link) => link,
      method: 'POST',
    },
  ])('$name is told to wait, and another one buys', async ({ address, path, opens, method }) => {
    const link = await scene.linkPath();
    const answers = await Promise.all(
      Array.from({ length: 180 }, (_, index) =>
        fetch(`${scene.pages.url}/customer/v1${path(link)}`, {
          method,
          headers: {
            'Service-Version': '2026-10-02',
            'Content-Type': 'application/json',
            'X-Forwarded-For': address,
            ...(method === 'GET' ? { Authorization: `Bearer chs_${String(index).padStart(43, '0')}` } : {}),
          },
          ...(method === 'GET' ? {} : { body: '{}' }),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(50);
    const payer = await scene.payer();
    const [{ page: flooding }, { page }] = await Promise.all([
      scene.open(opens(link), [payer.wallet], from(address)),
      scene.open(link, [payer.wallet], from('198.51.100.77')),
    ]);
    await shows(flooding, ENGLISH.problems.rate_limited.replace(/ \S+ \{seconds\}.*$/, ''));
    await press(page, NAME);
    await payAndLook(page);
    await scene.expectPaidOnce(payer);
  });
});

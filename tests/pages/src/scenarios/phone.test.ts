// Heavy: Chromium pays with the app of a wallet on the same phone.

import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { openPhoneApp, type PhoneApp, type Question } from '../phone-app.js';
import { heading, isPaid, openScene, pay, press, shows } from './scene.js';

const ANDROID: BrowserContextOptions = {
  userAgent:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

const scene = openScene();
const apps: PhoneApp[] = [];

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

/** Opens a page on a phone with the app of a wallet, which the browser lets it reach. */
async function onPhone(path: string, more: BrowserContextOptions = {}) {
  const payer = await scene.payer();
  const { page, requests } = await scene.open(path, [], { ...ANDROID, ...more });
  await page.context().grantPermissions(['local-network-access']);
  const app = await openPhoneApp(page, payer.key);
  apps.push(app);
  return { page, app, payer, requests };
}

/** Closes the app without an answer to a question, and goes back on the page. */
async function leave(page: Page, app: PhoneApp, question: Question, ask: () => Promise<void>) {
  app.leaves.add(question);
  await ask();
  await expect.poll(() => app.asked.at(-1)).toBe(question);
  await app.close();
  app.leaves.clear();
  // Some wallets cover the page meanwhile.
  await page.keyboard.press('Escape');
  await press(page, 'Back');
}

/** Has the person forbid the page to reach apps. */
async function refuseApps(page: Page) {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.send('Browser.setPermission', {
    permission: { name: 'loopback-network' },
    setting: 'denied',
    ...(targetInfo.browserContextId === undefined ? {} : { browserContextId: targetInfo.browserContextId }),
  });
}

it('pays with the app of a wallet, which a click opens for each step', async () => {
  const { page, app, payer, requests } = await onPhone(await scene.linkPath());
  await press(page, 'Wallet app');
  await heading(page, 'Check and pay');
  await pay(page);
  await heading(page, 'Continue in your wallet');
  await expectEveryLook(page, 'phone-next-step');
  await press(page, 'Open the app');
  await isPaid(page);
  await scene.expectPaidOnce(payer);
  expect(app.asked).toEqual([
    'authorize',
    'authorize again',
    'sign_messages',
    'authorize again',
    'sign_transactions',
  ]);
  expect(app.opened.map(({ pathname }) => pathname)).toEqual(Array(3).fill('/v1/associate/local'));
  const loaded = (all: typeof requests) => all.filter((one) => one.url().includes('/pages/wallet-app.js'));
  expect(loaded(requests)).toHaveLength(1);
  const desk = await scene.open(await scene.linkPath(), []);
  await heading(desk.page, 'No wallet was found');
  expect(loaded(desk.requests)).toEqual([]);
});

it('lets a person decline in the app, and open it again', async () => {
  const { page, app, payer } = await onPhone(await scene.checkoutPath());
  app.declines.add('authorize').add('sign_messages').add('sign_transactions');
  await press(page, 'Wallet app');
  await shows(page, 'Wallet app did not allow it.');
  await press(page, 'Wallet app');
  await heading(page, 'Check and pay');
  await leave(page, app, 'sign_messages', () => pay(page));
  await pay(page);
  await heading(page, 'Not signed yet');
  await press(page, 'Try again');
  await press(page, 'Not now');
  await heading(page, 'Not signed yet');
  await press(page, 'Try again');
  await heading(page, 'Not signed yet');
  await press(page, 'Try again');
  await isPaid(page);
  await scene.expectPaidOnce(payer);
});

it('goes on after a reload while the app is open, and pays once', async () => {
  const { page, app, payer } = await onPhone(await scene.linkPath());
  app.leaves.add('sign_transactions');
  await press(page, 'Wallet app');
  await pay(page);
  await press(page, 'Open the app');
  await expect.poll(() => app.asked.at(-1)).toBe('sign_transactions');
  await page.reload();
  app.leaves.clear();
  // The app is connected without a question, and the terms are signed.
  await pay(page);
  await isPaid(page);
  await scene.expectPaidOnce(payer);
  expect(app.asked.filter((one) => one !== 'authorize again')).toEqual([
    'authorize',
    'sign_messages',
    'sign_transactions',
    'sign_transactions',
  ]);
});

it('asks an app anew that forgot the page, in the language of the page', async () => {
  const { page, app, payer } = await onPhone(await scene.checkoutPath({ locale: 'de' }));
  await press(page, 'Wallet app');
  await heading(page, 'Prüfen und zahlen');
  app.forget();
  await press(page, /^Abonnieren und 5 Token zahlen/);
  await press(page, 'App öffnen');
  await heading(page, 'Sie haben Pro abonniert');
  await scene.expectPaidOnce(payer);
  expect(app.asked.slice(0, 4)).toEqual(['authorize', 'authorize again', 'authorize', 'sign_messages']);
});

it('says that no app is there, and has other ways', async () => {
  const { page, app } = await onPhone(await scene.linkPath());
  app.isInstalled = false;
  await page.clock.install();
  await press(page, 'Wallet app');
  await expect.poll(() => app.opened.length).toBe(1);
  await page.clock.fastForward(3_000);
  await shows(page, 'No wallet app was found.');
  await page.getByText('Open this page in a wallet app').click();
  await page.getByRole('link', { name: 'Open in Phantom' }).waitFor();
  await expectEveryLook(page, 'phone-no-app');
});

it('lets the browser ask whether the page may reach apps, before one is opened', async () => {
  const { page, app } = await onPhone(await scene.checkoutPath());
  await page.context().clearPermissions();
  let openedBefore = Number.NaN;
  await page.routeWebSocket('ws://localhost:49152/', () => {
    openedBefore = app.opened.length;
  });
  await page.reload();
  await press(page, 'Wallet app');
  await heading(page, 'Check and pay');
  expect([openedBefore, app.opened.length]).toEqual([0, 1]);
});

it.each<[string, (page: Page, app: PhoneApp) => Promise<void> | void, string]>([
  [
    'may not be reached',
    refuseApps,
    'Allow this page in the settings of the browser to reach apps on the device.',
  ],
  [
    'only sends what it signs',
    (_page, app) => {
      app.features = [];
    },
    'It cannot sign transactions of Solana.',
  ],
])('says why when an app %s', async (_, prepare, sentence) => {
  const { page, app } = await onPhone(await scene.checkoutPath());
  await prepare(page, app);
  await press(page, 'Wallet app');
  await page.getByText('Details').or(page.getByText(sentence)).first().click();
  await shows(page, sentence);
  // Another app may do.
  expect(await page.getByRole('button', { name: 'Wallet app' }).getAttribute('aria-disabled')).toBeNull();
});

/** The code by which a page of an app registers the wallets of phones, as the README of browser has it. */
function codeOfReadme(): string {
  const file = fileURLToPath(new URL('../../../../packages/browser/README.md', import.meta.url));
  const [, code = ''] = /```ts\n(import \{[^`]*registerMwa[^`]*)```/.exec(readFileSync(file, 'utf8')) ?? [];
  const [script] = buildSync({
    stdin: { contents: code.replace('solana:mainnet', 'solana:devnet'), resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    write: false,
  }).outputFiles;
  return script?.text ?? '';
}

it("pays by the wallet of the protocol's maker on a page of an app", async () => {
  // No page of the service: its policy would refuse the styles of that wallet.
  const userAgent = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';
  const { page, app, payer } = await onPhone(await scene.linkPath(), { userAgent, bypassCSP: true });
  await heading(page, 'No wallet was found');
  await page.evaluate(codeOfReadme());
  app.declines.add('sign_messages');
  app.isInstalled = false;
  await page.clock.install();
  await press(page, 'Mobile Wallet Adapter');
  await expect.poll(() => app.opened.length).toBe(1);
  await page.clock.fastForward(3_000);
  await shows(page, 'No wallet app was found.');
  app.isInstalled = true;
  await leave(page, app, 'authorize', () => press(page, 'Mobile Wallet Adapter'));
  await press(page, 'Mobile Wallet Adapter');
  await heading(page, 'Check and pay');
  await pay(page);
  await shows(page, 'Mobile Wallet Adapter did not allow it.');
  await press(page, 'Try again');
  await isPaid(page);
  await scene.expectPaidOnce(payer);
});

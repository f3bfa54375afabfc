// Heavy: Chromium pays with the app of a wallet on the same phone.

import { PRICE } from '@subrail/test-world';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { openPhoneApp, type PhoneApp } from '../phone-app.js';
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
async function onPhone(path: string) {
  const payer = await scene.payer();
  const { page, requests } = await scene.open(path, [], ANDROID);
  await page.context().grantPermissions(['local-network-access']);
  const app = await openPhoneApp(page, payer.key);
  apps.push(app);
  return { page, app, payer, requests };
}

it('pays with the app of a wallet, which a click opens for each step', async () => {
  const { page, app, payer, requests } = await onPhone(await scene.linkPath());
  await press(page, 'Wallet app');
  await heading(page, 'Check and pay');
  await pay(page);
  await shows(page, 'Your wallet’s app has answered.');
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
  expect(requests.filter((request) => request.url().includes('/pages/wallet-app.js'))).toHaveLength(1);
});

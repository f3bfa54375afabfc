// Subscribes on the page of the app, in a browser with a wallet, as a customer who is logged in.

import { installWallets, type TestWallet } from '@subrail/testing';
import { chromium } from 'playwright-core';

export async function subscribe(url: string, customer: string, wallet: TestWallet): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['SUBRAIL_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const context = await browser.newContext();
    await context.addCookies([{ name: 'customer', value: customer, url }]);
    await installWallets(context, [{ name: 'Test Wallet', accounts: [wallet] }]);
    const page = await context.newPage();
    await page.goto(`${url}/subscribe`);
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByRole('button', { name: /^Subscribe and pay/ }).click();
    await page.getByText(/^You are subscribed/).waitFor();
  } finally {
    await browser.close();
  }
}

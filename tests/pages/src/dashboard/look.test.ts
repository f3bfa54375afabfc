// Heavy: Chromium shows a shop whose customers pay, pay late and leave.

import { DAY, PRICE } from '@subrail/test-world';
import { expect, it } from 'vitest';
import { heading } from '../scenarios/scene.js';
import { takeDocsPicture } from '../screenshots.js';
import { openDesk, rowsOf } from './desk.js';

const desk = openDesk();

/** How many payments the wallet of each customer holds, and whether the customer cancels. */
const CUSTOMERS = [
  ['ada@example.com', 9n, false],
  ['ben@example.com', 1n, false],
  ['cleo@example.com', 9n, true],
  ['dan@example.com', 9n, false],
] as const;

// dashboard#every-page
it('wears the colour of the project, and names tokens that the operator vouches for', async () => {
  const { world } = desk;
  desk.pages.vouchFor([{ mint: world.token.mint, symbol: 'dUSD', name: 'Demo dollar', logoUrl: null }]);
  await desk.shop().updateLook({ accent: '#0a7d5a' });
  let late = '';
  for (const [email, payments, leaves] of CUSTOMERS) {
    if (leaves) {
      world.advance(30 * DAY + 60_000);
      await world.work();
    }
    const key = await world.wallet(payments * PRICE);
    const id = await world.subscribe(key, email.split('@')[0]);
    await desk.shop().subscriptions.update(id, { email });
    if (payments === 1n) late = id;
    if (leaves) await (await world.outside(key)).cancel();
  }
  world.advance(DAY + 120_000);
  await world.work();
  const page = await desk.enter();
  const rows = await rowsOf(page, /^Subscriptions/);
  expect(rows.map(([, , status]) => status)).toEqual(['Active', 'Cancelled', 'Late', 'Active']);
  expect(rows[0]?.[4]).toContain('5 dUSD');
  expect(rows.map((row) => row[5])).toEqual([
    '—',
    'The customer cancelled.',
    'The wallet has too little of the token.',
    '—',
  ]);
  const button = page.getByRole('button', { name: 'Search' });
  expect(
    await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]),
  ).toEqual(['rgb(10, 125, 90)', 'rgb(255, 255, 255)']);
  await takeDocsPicture(page, 'dashboard-customers', { width: 1100, height: 760 });
  await page.goto(`${desk.pages.url}/dashboard${desk.hash(`customers/${late}`)}`);
  await heading(page, 'ben');
  await takeDocsPicture(page, 'dashboard-subscription', { width: 1100, height: 760 });
  // The months since the first customer came, and no others.
  await page.goto(`${desk.pages.url}/dashboard${desk.hash('home')}`);
  const stayed = page.locator('.card', { hasText: 'Who stayed' }).locator('table');
  await stayed.waitFor();
  expect(await stayed.locator('tbody th').allInnerTexts()).toEqual(['2026-01']);
  expect(await stayed.locator('thead th').allInnerTexts()).toEqual(['Month', 'Began', '+0', '+1']);
});

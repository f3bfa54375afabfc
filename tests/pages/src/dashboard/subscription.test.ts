// Heavy: Chromium reads the story of a subscription in moved time, and acts on it.

import type { KeyPairSigner } from '@solana/kit';
import { DAY, PRICE, storedSubscription } from '@subrail/test-world';
import { beforeAll, expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf, settled } from './desk.js';

const desk = openDesk();
const HOSTILE = '<script>window.hit = 1</script>';
let late: KeyPairSigner;
let id = '';

beforeAll(async () => {
  const { world } = desk;
  late = await world.wallet(PRICE);
  id = await world.subscribe(late, HOSTILE);
  world.advance(30 * DAY + 60_000);
  await world.work();
});

// dashboard#a-subscription
it('tells the story of a subscription, and what was charged and sent for it', async () => {
  const page = await desk.enter(`customers/${id}`);
  await heading(page, HOSTILE);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  await shows(page, 'The wallet has too little of the token.');
  const { state, to_do: toDo, happened } = await desk.shop().subscriptions.explain(id);
  const main = page.locator('main');
  await shows(page, 'The checkout was created.');
  expect(await main.innerText()).not.toMatch(/\d UTC/);
  const told = await main.evaluate((one) => {
    const copy = one.cloneNode(true) as Element;
    for (const time of copy.querySelectorAll('time'))
      time.textContent = `${time.dateTime.slice(0, 16).replace('T', ' ')} UTC`;
    return copy.textContent.replaceAll(/\s+/g, ' ');
  });
  const failed = happened.find(({ what }) => what.includes('(insufficient_balance)'))?.what ?? '';
  for (const text of [...state, ...[...toDo, ...happened].map(({ what }) => what)])
    expect(told).toContain(text.replace(' (insufficient_balance)', ''));
  // The words say it. The code is there for who looks for it.
  expect(told).not.toContain('insufficient_balance');
  expect(failed).not.toBe('');
  expect(await page.getByTitle('insufficient_balance').first().innerText()).toMatch(/^A charge of 5 /);
  const attempts = await rowsOf(page, 'Attempts to charge');
  expect(attempts.map(([, outcome, amount]) => [outcome, amount])).toEqual([
    ['Not paid The wallet has too little of the token.', '5 tokens'],
    ['Paid', '5 tokens'],
  ]);
  const [[, kind, landed, , , signature = ''] = []] = await rowsOf(page, 'Transfers');
  expect([kind, landed]).toEqual(['First payment', 'Landed']);
  const link = page.getByRole('table', { name: 'Transfers' }).getByRole('link').first();
  expect(await link.getAttribute('href')).toMatch(
    /^https:\/\/explorer\.solana\.com\/tx\/\w+\?cluster=devnet$/,
  );
  expect(signature).toMatch(/^\w{4}…\w{4}$/);
  expect((await rowsOf(page, 'Events')).map(([, type]) => type)).toContain('subscription.payment_failed');
  await expectEveryLook(page, 'dashboard-subscription');
  await shows(page, 'Events are kept for 30 days.');
  const time = page.getByRole('table', { name: 'Events' }).locator('time').first();
  expect(await time.getAttribute('title')).toContain('UTC');
});

// dashboard#a-subscription
it('orders a retry, corrects the customer and makes a portal link', async () => {
  const page = await desk.enter(`customers/${id}`);
  await desk.world.give(late, PRICE);
  await press(page, 'Charge now');
  await shows(page, 'This orders a retry of the missed payment, 5 tokens.');
  await expectEveryLook(page, 'dashboard-question');
  await press(page, 'Leave it');
  await settled(page);
  expect((await storedSubscription(desk.world, id)).status).toBe('unpaid');
  await press(page, 'Charge now');
  await page.getByRole('dialog').getByRole('button', { name: 'Charge now' }).click();
  await shows(page, 'The retry is ordered.');
  await desk.world.work();
  await page.reload();
  await shows(page, 'Active');
  const [[, outcome] = []] = await rowsOf(page, 'Attempts to charge');
  expect(outcome).toMatch(/^Paid retry/);

  await press(page, 'Correct the customer');
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Your own id').inputValue()).toBe(HOSTILE);
  await dialog.getByLabel('Your own id').fill('');
  await dialog.getByLabel('Email').fill('nobody');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, /email/);
  await press(page, 'Correct the customer');
  await dialog.getByLabel('Your own id').fill('');
  await dialog.getByLabel('Email').fill('ada@example.org');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'The customer is corrected.');
  await heading(page, 'ada@example.org');

  await press(page, 'Make a portal link');
  const address = (await dialog.locator('pre').textContent()) ?? '';
  await press(page, 'Close');
  const { page: portal } = await desk.pages.open([], {}, `/portal${new URL(address).hash}`);
  await portal.getByRole('article', { name: 'Pro' }).waitFor();
});

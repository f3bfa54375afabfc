// Heavy: Chromium looks through the customers of a project in moved time.

import { DAY, PRICE, submitCheckout, type IssuedCheckout } from '@subrail/test-world';
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { expectEveryLook } from '../every-look.js';
import { focusedText } from '../focused-text.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf, settled } from './desk.js';

const desk = openDesk();
const HOSTILE = '<img src=x onerror="window.hit=1">';
const wallets: Record<string, string> = {};
const ids: Record<string, string> = {};

const TABLE = 'Subscriptions, newest first';
const customers = async (page: Page) => (await rowsOf(page, TABLE)).map(([name = '']) => name.split(' ')[0]);

async function filter(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name, exact: true }).click();
  await page.locator(`.filters a[aria-current="true"]:text-is("${name}")`).waitFor();
  await settled(page);
}

/** Looks for a text. What leads on from there, such as a filter, keeps the text once it was read. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel('Email, id').fill(text);
  await press(page, 'Search');
  await page.waitForURL((url) => (new URLSearchParams(url.hash.split('?')[1]).get('q') ?? '') === text);
  await settled(page);
}

beforeAll(async () => {
  const { world } = desk;
  const people: readonly (readonly [name: string, tokens: bigint])[] = [
    ['active', 10n],
    ['late', 1n],
    ['cancelled', 10n],
    ['stopped', 10n],
    [HOSTILE, 10n],
  ];
  for (const [name, times] of people) {
    const key = await world.wallet(times * PRICE);
    wallets[name] = key.address;
    ids[name] = await world.subscribe(key, name);
    if (name === 'cancelled') await (await world.outside(key)).cancel();
    if (name === 'stopped') await (await world.outside(key)).closeAuthority();
  }
  await desk.shop().subscriptions.update(ids['active'] ?? '', { email: 'ada@example.org' });
  world.advance(25 * DAY);
  await world.work();
  world.advance(5 * DAY + 60_000);
  await world.work();
});

// dashboard#customers
it('lists who is subscribed, and finds them by anything', async () => {
  const page = await desk.enter();
  await page.getByRole('table', { name: TABLE }).waitFor();
  expect(await customers(page)).toContain('late');
  await expectEveryLook(page, 'dashboard-customers');
  for (const text of ['active', 'Ada@Example.org', wallets['active'] ?? '', ids['active'] ?? '']) {
    await find(page, text);
    expect(await customers(page), text).toEqual(['active']);
  }
  const { internals } = await desk.shop().subscriptions.detail(ids['late'] ?? '');
  await find(page, internals.address);
  expect(await customers(page)).toEqual(['late']);
  await find(page, HOSTILE);
  await shows(page, HOSTILE);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  expect(await page.getByLabel('Email, id').getAttribute('placeholder')).toMatch(/^The whole of it/);
  await find(page, 'nobody');
  await shows(page, 'No subscription that fits has exactly “nobody” as email, id, wallet or account.');
  await page.goBack();
  await shows(page, HOSTILE);
});

// dashboard#customers
it('filters those who are late, cannot pay, cancelled, ending and ended', async () => {
  const page = await desk.enter();
  await page.getByRole('table', { name: TABLE }).waitFor();
  await filter(page, 'Late');
  expect(await customers(page)).toEqual(['late']);
  const [[, plan, status, , next = '', why] = []] = await rowsOf(page, TABLE);
  expect([plan, status, why]).toEqual(['Pro', 'Late', 'The wallet has too little of the token.']);
  expect(next).toMatch(/5 tokens, retry 1 of \d$/);
  await filter(page, 'Blocked');
  await shows(page, 'No subscription fits.');
  await filter(page, 'Cannot pay');
  const [[name = '', ofPlan, charge = '', cause = '', advice = ''] = [], ...others] = await rowsOf(
    page,
    'Cannot pay',
  );
  expect([name.split(' ')[0], ofPlan, others]).toEqual(['late', 'Pro', []]);
  expect(charge).toMatch(/5 tokens$/);
  expect(cause).toMatch(/too little of the token.*5 tokens are missing$/s);
  expect(advice).toMatch(/^The customer: /);
  await expectEveryLook(page, 'dashboard-customers-cannot-pay');
  // A text is looked for among all.
  await find(page, 'active');
  await page.locator('.filters a[aria-current="true"]:text-is("All")').waitFor();
  expect(await customers(page)).toEqual(['active']);
  await find(page, '');
  await filter(page, 'Ended');
  const [[ended = '', , state, , , left] = []] = await rowsOf(page, TABLE);
  expect([ended.split(' ')[0], state, left]).toEqual(['cancelled', 'Ended', 'The customer cancelled.']);
  await filter(page, 'Stopped');
  expect(await customers(page)).toEqual(['stopped']);
  // A filter that there is none of.
  await page.evaluate(() => (location.hash = location.hash.replace(/filter=\w+/, 'filter=banana')));
  await page.locator('.filters a[aria-current="true"]:text-is("All")').waitFor();
  await settled(page);
  expect((await customers(page)).length).toBe(5);
  await filter(page, 'Ending');
  await shows(page, 'No subscription is known to end.');
  await expectEveryLook(page, 'dashboard-customers-none');
});

// dashboard#a-subscription
it('shows a subscription that is over when the search for a newer one is refused', async () => {
  const page = await desk.enter('customers');
  await page.getByRole('table', { name: TABLE }).waitFor();
  let refused = 0;
  await page.route('**/subscriptions?*', async (route) => {
    refused += 1;
    await route.abort();
  });
  await page.evaluate((hash) => (location.hash = hash), desk.hash(`customers/${ids['stopped']}`));
  await heading(page, 'stopped');
  await shows(page, 'It has no access, and nothing more is charged.');
  expect(refused).toBe(1);
  await page.unroute('**/subscriptions?*');
});

// dashboard#every-page
it('is read by keyboard, and says what it reads and what went wrong', async () => {
  const page = await desk.enter();
  await page.getByRole('table', { name: TABLE }).waitFor();
  expect(await focusedText(page)).toBe('Customers');
  await page.route('**/subscriptions?*', (route) => route.abort());
  await page.getByRole('link', { name: 'Late', exact: true }).focus();
  await page.keyboard.press('Enter');
  await shows(page, 'The service cannot be reached. Check your connection');
  await expectEveryLook(page, 'dashboard-failed');
  await page.unroute('**/subscriptions?*');
  await press(page, 'Try again');
  await page.getByRole('row', { name: /late/ }).waitFor();
  await page.evaluate(() => {
    location.hash = location.hash.replace(/customers.*/, 'nowhere');
  });
  await shows(page, 'There is no such page here.');
});

// dashboard#customers
it('turns the pages of many, and says what to do in a new project', async () => {
  const { billing } = desk.world;
  const { id } = await billing.projects.create({ name: 'Empty <b>Shop</b>' });
  const page = await desk.enter();
  await page.getByRole('table', { name: TABLE }).waitFor();
  await page.getByLabel('Project').selectOption(id);
  await shows(page, 'Nobody has subscribed yet.');
  await expectEveryLook(page, 'dashboard-customers-new');
  for (let count = 0; count < 26; count += 1)
    await desk.shop().subscriptions.create({
      plan: 'pro',
      wallet: (await desk.world.wallet(PRICE)).address,
      external_id: `open-${count}`,
    });
  await page.goBack();
  await page.getByRole('table', { name: TABLE }).waitFor();
  const first = await customers(page);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'First page' }).waitFor();
  const second = await customers(page);
  expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([25, 6, 31]);
  await page.reload();
  await page.getByRole('link', { name: 'Previous page' }).click();
  await page.getByRole('link', { name: 'Next page' }).waitFor();
  expect(await customers(page)).toEqual(first);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'Previous page' }).waitFor();
  // What another script kept is no address of a page.
  await page.evaluate(() => {
    for (const name of Object.keys(sessionStorage)) sessionStorage.setItem(name, 'javascript:void 0');
  });
  await page.reload();
  await page.getByRole('link', { name: 'First page' }).waitFor();
  expect(await page.getByRole('link', { name: 'Previous page' }).count()).toBe(0);
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByRole('link', { name: 'Next page' }).waitFor();
  expect(await customers(page)).toEqual(first);
});

// dashboard#a-subscription, plan-changes#landed-change
it('leads from a subscription to the one to which its customer changed', async () => {
  const { world } = desk;
  const wallet = await world.wallet(10n * PRICE);
  await world.publishPlan(world.projectId, 'lite', { name: 'Lite' });
  const old = await world.subscribe(wallet, 'changing');
  const { body } = await world.call('POST', '/subscriptions', {
    ...{ plan: 'lite', wallet: wallet.address, replaces: old },
  });
  const checkout = body as unknown as IssuedCheckout;
  await submitCheckout(world, wallet, checkout);
  const page = await desk.enter(`customers/${old}`);
  await shows(page, 'It ended, because the customer changed to another plan.');
  await page.getByRole('link', { name: 'Show the newer subscription' }).click();
  await page.waitForURL((url) => url.hash.endsWith(checkout.subscription.id));
  await shows(page, `as a change of plan from ${old}`);
});

// dashboard#every-page
it('says that there is no project of an address, and leads to one that exists', async () => {
  const page = await desk.enter();
  const project = page.getByLabel('Project');
  await page.getByRole('table', { name: TABLE }).waitFor();
  await page.evaluate(() => (location.hash = '#/proj_nowhere/customers?filter=late'));
  await shows(page, 'No project has the id proj_nowhere. These exist:');
  expect(await project.locator('option:checked').innerText()).toBe('Choose one');
  expect(await page.getByRole('navigation', { name: 'Dashboard' }).count()).toBe(0);
  await expectEveryLook(page, 'dashboard-no-project');
  await page.getByRole('main').getByRole('link', { name: 'Night Library' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await project.locator('option:checked').innerText()).toBe('Night Library');
  // One that was made since the log-in.
  const { id } = await desk.world.billing.projects.create({ name: 'Made since' });
  await page.evaluate((hash) => (location.hash = hash), `#/${id}/customers`);
  await shows(page, 'Nobody has subscribed yet.');
  expect(await project.locator('option:checked').innerText()).toBe('Made since');
});

// dashboard#every-page
it('names the zone of the reader, in which its times are', async () => {
  const page = await desk.enter('customers?filter=late', { timezoneId: 'Asia/Tokyo' });
  await settled(page);
  await shows(page, 'Times in Asia/Tokyo, on hover in UTC');
  const time = page.getByRole('table', { name: TABLE }).locator('time').first();
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  const clock = at.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' });
  expect(await time.innerText()).toContain(clock);
});

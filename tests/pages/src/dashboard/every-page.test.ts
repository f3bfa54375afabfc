// Heavy: Chromium opens every page of the dashboard over two years of history.

import { MINUTE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { openDesk, settled } from './desk.js';
import { playTwoYears } from './two-years.js';

const desk = openDesk({
  sender: { post: async () => ({ kind: 'answered', status: 500, retryAfter: null, excerpt: 'No.' }) },
});

/** How many things are opened of those that have a page of their own, such as a plan and a draft. */
const MOST_THINGS = 2;

/** The kind of a page: its address without the project, and without what names a thing or a day. */
function kindOf(hash: string): string {
  const [path = '', query = ''] = hash.split('?');
  const parts = path.split('/').slice(2);
  const named = parts.map((part, at) => (at > 0 && part !== 'delivery' ? '*' : part));
  const isFree = ([name]: readonly [string, string]) =>
    !['from', 'to', 'after', 'token', 'q', 'plan'].includes(name);
  const filters = [...new URLSearchParams(query)].filter(isFree).map(([name, value]) => `${name}=${value}`);
  return [named.join('/'), ...filters].join(' ');
}

const hashesOf = (page: Page, within = '') =>
  page
    .locator(`${within} a[href^="#/"]`)
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));

// dashboard#every-page
it('opens each page that another leads to, in both colour schemes, and axe finds nothing', async () => {
  const { world } = desk;
  await desk.shop().endpoints.create({
    url: 'https://shop.example/webhooks',
    types: ['subscription.renewed', 'subscription.payment_failed'],
  });
  await playTwoYears(world);
  const { mint, owner } = await desk.shop().plans.detail('pro');
  await desk.shop().plans.create({ name: 'A draft', mint, owner, amount: '2500000', period_hours: 24 });
  await desk.shop().links.create({ plan: 'pro' });
  await world.deliver();
  world.advance(MINUTE);
  await world.deliver();

  const page = await desk.enter('home');
  await settled(page);
  const navigation = await hashesOf(page, 'nav[aria-label="Dashboard"]');
  const [waiting, opened] = [[...navigation], new Map<string, number>()];
  for (let hash = waiting.shift(); hash !== undefined; hash = waiting.shift()) {
    const kind = kindOf(hash);
    const count = opened.get(kind) ?? 0;
    if (count === (kind.endsWith('*') ? MOST_THINGS : 1)) continue;
    opened.set(kind, count + 1);
    await page.evaluate((to) => (location.hash = to), hash);
    await page.waitForURL((url) => url.hash === hash);
    await settled(page);
    expect(await page.getByRole('alert').allInnerTexts(), hash).toEqual(['']);
    await expectEveryLook(
      page,
      `every ${kind.replaceAll('*', 'one')} ${count}`.replaceAll(/\W+/g, '-'),
      [390, 1280],
    );
    waiting.push(...(await hashesOf(page)));
  }
  // On a phone the header has two lines, and small tables stay tables.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate((to) => (location.hash = to), desk.hash('health'));
  await page.getByRole('columnheader', { name: 'Last went well' }).waitFor();
  expect((await page.locator('header').boundingBox())?.height).toBeLessThan(110);
  const kinds = [...opened.keys()];
  expect(kinds).toEqual(expect.arrayContaining(navigation.map(kindOf)));
  // Below a page that lists things there is one for each.
  expect(kinds.filter((kind) => kind.includes('*')).length).toBeGreaterThanOrEqual(4);
}, 600_000);

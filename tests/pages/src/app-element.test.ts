// Heavy: Chromium pays in a page of an app, with the look of the app.

import { createCustomerHandler, type AppCustomer } from '@subrail/core';
import { actionsOf, DAY, PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { expectEveryLook } from './every-look.js';
import { press } from './scenarios/scene.js';
import { sharedPages } from './shared-pages.js';

const NAME = 'Alpha Wallet';

const pages = sharedPages();
/** Who is logged in to the app. */
let customer: AppCustomer | null = null;

/** A page of an app with an element of its own, and the routes of its customers under `/billing`. */
async function openApp(
  element: 'subrail-checkout' | 'subrail-portal',
  attributes: Readonly<Record<string, string>> = {},
  plans: readonly string[] = ['pro'],
): Promise<Page> {
  const key = await pages.world.wallet(10n * PRICE);
  const { page } = await pages.open([{ name: NAME, accounts: [accountOf(key)] }], {}, '/checkout');
  const handle = createCustomerHandler(pages.world.billing, {
    project: pages.world.projectId,
    plans,
    customer: () => customer,
  });
  await page.route('**/billing/**', async (route) => {
    const sent = route.request();
    const body = sent.postData();
    const answer = await handle(
      new Request(sent.url(), {
        method: sent.method(),
        headers: await sent.allHeaders(),
        ...(body === null ? {} : { body }),
      }),
    );
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    });
  });
  await page.evaluate(
    ([name, given]) => {
      const told: string[] = [];
      Object.assign(window, { told });
      for (const event of ['subrail-state', 'subrail-problem', 'subrail-complete'])
        document.addEventListener(event, ({ detail }: CustomEventInit<Record<string, { name?: string }>>) =>
          told.push(`${event} ${detail?.['state']?.name ?? Object.keys(detail ?? {}).join()}`),
        );
      const own = document.createElement(name);
      for (const [key, value] of Object.entries({ ...given, url: '/billing' })) own.setAttribute(key, value);
      document.querySelector('main')?.replaceChildren(own);
    },
    [element, attributes] as const,
  );
  return page;
}

const told = (page: Page) =>
  page.evaluate(() => (window as unknown as { told: readonly string[] }).told.join('\n'));

// portal#customers-of-an-app
it('takes the payment of whoever is logged in to an app, and tells the app', async () => {
  customer = null;
  const page = await openApp('subrail-checkout', { level: '1' });
  await page.getByText('You are not logged in.').first().waitFor();
  customer = { external_id: 'user-1', email: 'ada@example.com' };
  await page.getByRole('heading', { name: 'Log in to go on' }).waitFor();
  await expectEveryLook(page, 'not-logged-in');
  // Somebody logged in in another tab.
  await press(page, 'Check again');
  await press(page, NAME);
  await press(page, /^Subscribe and pay/);
  await page.getByRole('heading', { name: 'You are subscribed to Pro' }).waitFor();
  await page.getByText('Receipt').waitFor();
  const events = await told(page);
  for (const event of ['problem problem', 'state review', 'state signing_payment', 'state complete'])
    expect(events).toContain(`subrail-${event}`);
  // Once, though the receipt comes in a later state.
  expect(events.match(/subrail-complete subscription,success_url/g)).toHaveLength(1);
});

// portal#customers-of-an-app
it.each(['subrail-checkout', 'subrail-portal'] as const)(
  'leads to the log-in of the app from %s',
  async (element) => {
    customer = null;
    const page = await openApp(element, { login: '/login?back=%2Faccount', level: '1' });
    await page.getByRole('heading', { name: 'Log in to go on' }).waitFor();
    const link = page.getByRole('link', { name: 'Log in' });
    expect(await link.getAttribute('href')).toBe('/login?back=%2Faccount');
    expect(await page.locator('[part~="notice"]').count()).toBe(0);
    await expectEveryLook(page, `log-in-${element}`);
  },
);

it('says that the plan of the page is paid for already, and sells another one', async () => {
  const { world } = pages;
  await world.publishPlan(world.projectId, 'team', { name: 'Team', amount: (2n * PRICE).toString() });
  await world.subscribe(await world.wallet(PRICE), 'user-2');
  customer = { external_id: 'user-2' };
  const page = await openApp('subrail-checkout', { plan: 'pro' }, ['pro', 'team']);
  await page.getByRole('heading', { name: 'Nothing to pay here' }).waitFor();
  await press(page, 'Other plans');
  await page.getByRole('radio', { name: 'Team' }).check();
  await press(page, NAME);
  await press(page, /^Subscribe and pay 10 tokens/);
  await page.getByRole('heading', { name: 'You are subscribed to Team' }).waitFor();
});

it('offers the other plans where that of the page is gone', async () => {
  const { world } = pages;
  await world.publishPlan(world.projectId, 'solo', { name: 'Solo', amount: PRICE.toString() });
  customer = { external_id: 'user-5' };
  const page = await openApp('subrail-checkout', { plan: 'gone', level: '1' }, ['pro', 'solo']);
  await page.getByRole('heading', { name: 'Not available' }).waitFor();
  await expectEveryLook(page, 'plan-gone');
  await press(page, 'Other plans');
  await page.getByRole('radio', { name: 'Solo' }).check();
  await press(page, NAME);
  await press(page, /^Subscribe and pay/);
  await page.getByRole('heading', { name: 'You are subscribed to Solo' }).waitFor();
});

it('sells in a portal without subscriptions', async () => {
  customer = { external_id: 'user-4' };
  const page = await openApp('subrail-portal', { level: '1' });
  await page.getByText('You have no subscription here yet.').first().waitFor();
  await expectEveryLook(page, 'portal-empty');
  await press(page, 'Pro 5 tokens every 30 days');
  await press(page, NAME);
  await press(page, /^Subscribe and pay/);
  await page.getByRole('heading', { name: 'You are subscribed to Pro' }).waitFor();
  await press(page, 'Show my subscriptions');
  await page.getByRole('article', { name: 'Pro' }).waitFor();
});

it('has the colours and the shape of the app', async () => {
  await pages.world.subscribe(await pages.world.wallet(PRICE), 'user-3');
  customer = { external_id: 'user-3' };
  const page = await openApp('subrail-portal');
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  const look = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { backgroundColor, borderRadius } = getComputedStyle(element);
        return { backgroundColor, borderRadius };
      });
  expect((await look('article')).backgroundColor).toBe('rgb(255, 255, 255)');
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty('--subrail-accent', 'rgb(10, 125, 90)');
    style.setProperty('--subrail-radius', '4px');
    style.setProperty('--subrail-font', 'Georgia, serif');
    style.colorScheme = 'dark';
  });
  expect(await look('[part=avatar]')).toMatchObject({ backgroundColor: 'rgb(10, 125, 90)' });
  expect(await look('article')).toEqual({ backgroundColor: 'rgb(24, 27, 33)', borderRadius: '4px' });
});

// portal#customers-of-an-app
it('leads to the log-in of the app from a checkout in its portal', async () => {
  const { world } = pages;
  const key = await world.wallet(10n * PRICE);
  const id = await world.subscribe(key, 'user-2');
  await actionsOf(world, key, id).act('cancel');
  world.advance(31 * DAY);
  await world.work();
  customer = { external_id: 'user-2' };
  const page = await openApp('subrail-portal', { login: '/login' });
  const again = page.getByRole('button', { name: 'Subscribe again: Pro' });
  await again.waitFor();
  customer = null;
  await again.click();
  await page.getByRole('heading', { name: 'Log in to go on' }).waitFor();
  expect(await page.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
  // Without an address of a log-in the portal looks again who is there.
  await page.locator('subrail-portal').evaluate((portal) => portal.removeAttribute('login'));
  customer = { external_id: 'user-2' };
  await press(page, 'Check again');
  await again.waitFor();
});

// Heavy: Chromium pays in a page of an app, with the look of the app.

import { createCustomerHandler, type AppCustomer } from '@subrail/core';
import { PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { sharedPages } from './shared-pages.js';

const NAME = 'Alpha Wallet';

const pages = sharedPages();
/** Who is logged in to the app. */
let customer: AppCustomer | null = null;

/** A page of an app with an element of its own, and the routes of its customers under `/billing`. */
async function openApp(element: 'subrail-checkout' | 'subrail-portal'): Promise<Page> {
  const key = await pages.world.wallet(10n * PRICE);
  const { page } = await pages.open([{ name: NAME, accounts: [accountOf(key)] }], {}, '/checkout');
  const handle = createCustomerHandler(pages.world.billing, {
    project: pages.world.projectId,
    plans: ['pro'],
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
  await page.evaluate((name) => {
    const told: string[] = [];
    Object.assign(window, { told });
    for (const event of ['subrail-state', 'subrail-problem', 'subrail-complete'])
      document.addEventListener(event, ({ detail }: CustomEventInit<Record<string, { name?: string }>>) =>
        told.push(`${event} ${detail?.['state']?.name ?? Object.keys(detail ?? {}).join()}`),
      );
    const own = document.createElement(name);
    own.setAttribute('url', '/billing');
    document.querySelector('main')?.replaceChildren(own);
  }, element);
  return page;
}

const told = (page: Page) =>
  page.evaluate(() => (window as unknown as { told: readonly string[] }).told.join('\n'));

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

// portal#customers-of-an-app
it('takes the payment of whoever is logged in to an app, and tells the app', async () => {
  customer = null;
  const page = await openApp('subrail-checkout');
  await page.getByText('You are not logged in.').first().waitFor();
  customer = { external_id: 'user-1', email: 'ada@example.com' };
  await press(page, 'Check again');
  await press(page, NAME);
  await press(page, /^Subscribe and pay/);
  await page.getByRole('heading', { name: 'You are subscribed to Pro' }).waitFor();
  const events = await told(page);
  for (const event of ['problem problem', 'state review', 'state signing_payment', 'state complete'])
    expect(events).toContain(`subrail-${event}`);
  expect(events).toMatch(/subrail-complete subscription,success_url$/);
});

it('has the colours and the shape of the app', async () => {
  customer = { external_id: 'user-1' };
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

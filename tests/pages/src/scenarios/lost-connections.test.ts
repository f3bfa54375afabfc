// Heavy: Chromium pays while it is reloaded and offline, once at each step of the way.

import { ENGLISH } from '@subrail/browser';
import { PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goOn, NAME, openScene, type Payer } from './scene.js';

const scene = openScene();

/** The calls of a first payment, in their order. */
const CALLS = {
  link: '**/customer/v1/links/*/sessions',
  session: '**/customer/v1/session',
  create: '**/customer/v1/subscriptions',
  transaction: '**/customer/v1/subscriptions/*/transaction',
  submit: '**/customer/v1/subscriptions/*/submit',
} as const;

/** A file of the host, to be there before a page is opened. */
const NOTHING = '/pages/style.css';

/** What happens to a page: it is reloaded, or its connection is lost until somebody asks it to go on. */
type Accident = (page: Page) => Promise<void>;

const reloaded: Accident = (page) => page.reload().then(() => undefined);
const offline: Accident = (page) => page.context().setOffline(true);

/** Lets an accident happen once: before a call reaches the service, or when it has been answered there. */
async function letHappen(page: Page, call: string, when: 'before' | 'after', accident: Accident) {
  let isOver = false;
  await page.route(call, async (route) => {
    if (isOver) return route.continue();
    isOver = true;
    if (when === 'after') await route.fetch();
    await accident(page);
    await route.abort().catch(() => undefined);
  });
  return () => isOver;
}

/** Pays on a page to which an accident happens, and expects one payment. */
async function payThrough(call: keyof typeof CALLS, when: 'before' | 'after', accident: Accident) {
  const payer = await scene.payer();
  const path = call === 'link' ? await scene.linkPath() : await scene.checkoutPath();
  const page = await scene.page(NOTHING, payer);
  const isOver = await letHappen(page, CALLS[call], when, accident);
  await page.goto(scene.pages.url + path).catch(() => undefined);
  const delayed = accident === offline ? page.getByText(ENGLISH.delay).first().waitFor() : null;
  const { end, said } = await goOn(page);
  expect(end).toBe('You are subscribed to Pro');
  expect(isOver()).toBe(true);
  if (accident === offline) {
    await delayed;
    expect(said.join()).toMatch(call === 'submit' ? /It may have arrived/ : /cannot be reached/);
  }
  await scene.expectPaidOnce(payer);
  return payer;
}

// checkout-sessions#repeated-session-calls, checkout#repeated-submit-is-idempotent
it.each([
  ['reloaded', reloaded],
  ['offline', offline],
])('a page that is %s before or after any call pays once, and ends on paid', async (_, accident) => {
  const calls = Object.keys(CALLS) as (keyof typeof CALLS)[];
  const payers = await Promise.all(
    calls.flatMap((call) => (['before', 'after'] as const).map((when) => payThrough(call, when, accident))),
  );
  // Nobody signed the terms twice, and what was signed was sent, so nobody signed a second payment.
  for (const { questions } of payers) expect(questions).toEqual(['terms', 'payment']);
});

it('a page that is reloaded while the wallet asks, or has just signed, pays once', async () => {
  const interrupted = async (what: 'terms' | 'payment', answers: boolean) => {
    let page: Page | null = null;
    let isOver = false;
    const payer: Payer = await scene.payer({
      async asked(question) {
        if (question !== what || isOver) return;
        isOver = true;
        await page?.reload();
        if (!answers) await new Promise(() => undefined);
      },
    });
    page = await scene.page(await scene.checkoutPath(), payer);
    await goOn(page);
    expect(isOver).toBe(true);
    await scene.expectPaidOnce(payer);
  };
  await Promise.all(
    (['terms', 'payment'] as const).flatMap((what) =>
      [true, false].map((answers) => interrupted(what, answers)),
    ),
  );
});

it('a page that is closed while its payment is on its way is paid when it is opened again', async () => {
  const payer = await scene.payer();
  const [page, path] = [await scene.page(NOTHING, payer), await scene.checkoutPath()];
  await letHappen(page, CALLS.submit, 'after', async () => {
    await page.goto('about:blank');
  });
  await page.goto(scene.pages.url + path);
  await page.getByRole('button', { name: NAME }).click();
  await page.getByRole('button', { name: /^Subscribe and pay/ }).click();
  await page.waitForURL('about:blank');
  expect(await scene.world.holding(payer.key)).toBe(9n * PRICE);
  const other = await scene.page(path);
  await other.getByRole('heading', { name: 'You are subscribed to Pro' }).waitFor();
  await scene.expectPaidOnce(payer);
});

// Heavy: Chromium meets every code that the calls of a payment can answer.

import { ENGLISH } from '@subrail/browser';
import { PRICE } from '@subrail/test-world';
import { switchAccounts } from '@subrail/testing';
import { expect, it } from 'vitest';
import { filledIn, type Refusal, type RefusedPage, refusalsOf, refusedPage, type Told } from './refusals.js';
import { goOn, heading, NAME, openScene, pay, type Payer, press, steps, words } from './scene.js';

const scene = openScene({ trustedProxies: 1 });

/** The number of pages that meet refusals at once, each from an address of its own. */
const FLOWS = 6;

const SHOP = 'https://shop.example/prices';
const HELD = 10n * PRICE;
const PAID = words.complete('Pro');

/** Follows the step that a problem names. Returns whether that led to a payment. */
async function follow({ page }: RefusedPage, { next, ways }: Told): Promise<boolean> {
  if (next === 'go_back') {
    await page
      .getByRole('link', { name: ENGLISH.backTo('Night Library') })
      .first()
      .click();
    await page.waitForURL(SHOP);
    return false;
  }
  if (next === 'open_portal') {
    await page.getByRole('link', { name: steps.open_portal }).click();
    await heading(page, words.subscriptions);
    return false;
  }
  // Without a button the page goes on by itself.
  if (ways.includes(steps[next])) await press(page, steps[next]);
  expect((await goOn(page)).end).toBe(PAID);
  return true;
}

/** Pays on a page that meets a refusal on the way. Returns what came of it. */
async function met(refused: RefusedPage, refusal: Refusal, payer: Payer): Promise<string> {
  const { page, meet } = refused;
  const { call, code } = refusal;
  const path = await scene.checkoutPath({ external_id: payer.key.address, cancel_url: SHOP });
  const untilRefused = async () => {
    if (call === 'create') return press(page, NAME);
    await heading(page, words.review);
    return pay(page);
  };
  const begin = async () => {
    // Another fragment alone loads no page.
    await page.goto(scene.pages.url + path.replace('#', `?${call}-${code}#`));
    await switchAccounts(page, NAME, [payer.key.address]);
    if (call !== 'create') await press(page, NAME);
    await untilRefused();
    // The page reads the session again before it believes this.
    if (code === 'session_complete') await untilRefused();
  };
  const told = await meet(refusal, begin, PAID);
  if (told === null) {
    await scene.expectPaidOnce(payer);
    return 'told nothing, paid';
  }
  expect(told.notice).toContain(filledIn(ENGLISH.problems[told.code], told));
  expect(await scene.world.holding(payer.key)).toBe(HELD);
  const isPaid = await follow(refused, told);
  if (isPaid) await scene.expectPaidOnce(payer);
  else expect(await scene.world.holding(payer.key)).toBe(HELD);
  return `told ${told.code}, ${isPaid ? 'paid' : 'not paid'}`;
}

/** The outcome of a refusal whose step ends without a payment, or that is told as another problem. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // The same bytes are sent again, and nobody has to know.
  'submit nothing_landed': 'told nothing, paid',
  // The payment may have been sent before the service failed.
  'submit internal_error': 'told submit_unanswered, paid',
};

/** The codes of a call that are met. Those of a transaction that create has too go the same way. */
async function refusalsToMeet(call: 'create' | 'transaction' | 'submit'): Promise<readonly Refusal[]> {
  const all = await refusalsOf(scene.pages.url, call);
  if (call !== 'transaction') return all;
  const ofCreate = new Set((await refusalsOf(scene.pages.url, 'create')).map(({ code }) => code));
  return all.filter(({ code }) => !ofCreate.has(code));
}

// checkout-sessions#repeated-session-calls, checkout#repeated-submit-is-idempotent
it.each([
  ['create', 1, 2],
  ['create', 2, 2],
  ['transaction', 1, 1],
  ['submit', 1, 2],
  ['submit', 2, 2],
] as const)(
  'leads from every code of %s to one payment, or away unpaid: %d of %d',
  async (call, part, of) => {
    const refusals = (await refusalsToMeet(call)).filter((_, index) => index % of === part - 1);
    await Promise.all(
      Array.from({ length: Math.min(FLOWS, refusals.length) }, async (_, flow) => {
        const own = refusals.filter((__, index) => index % FLOWS === flow);
        const rows = await Promise.all(own.map(async (refusal) => ({ refusal, payer: await scene.payer() })));
        const accounts = rows.flatMap(({ payer }) => payer.wallet.accounts);
        const { page } = await scene.open('/pages/style.css', [{ name: NAME, accounts }], {
          extraHTTPHeaders: { 'X-Forwarded-For': `203.0.113.${flow + 1}` },
        });
        await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'Welcome back!' }));
        const refused = await refusedPage(page, (id) => scene.shop().subscriptions.retrieve(id));
        for (const { refusal, payer } of rows) {
          const name = `${refusal.call} ${refusal.code}`;
          const came = await met(refused, refusal, payer).catch((error: unknown) => {
            throw new Error(`${name} was not met as it should be.`, { cause: error });
          });
          expect(came, name).toMatch(OTHERWISE[name] ?? new RegExp(`^told ${refusal.code}, (not )?paid$`));
        }
      }),
    );
  },
);

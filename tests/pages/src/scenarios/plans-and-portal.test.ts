// Heavy: Chromium subscribes to plans that end, comes back, and gets deposits back.

import { DAY, PRICE, storedSubscription, type TestWorld } from '@subrail/test-world';
import { sendTransaction } from '@subrail/localnet';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  cancel,
  heading,
  isPaid,
  NAME,
  openScene,
  type Payer,
  pay,
  press,
  review,
  shows,
  textOf,
  words,
} from './scene.js';

const scene = openScene();

/** An instant on a whole second, some days from now. */
const inDays = (days: number) =>
  new Date(Math.ceil((scene.world.now().getTime() + days * DAY) / 1000) * 1000);

const lamportsOf = ({ key }: Payer) => scene.world.localnet.getAccount(key.address)?.lamports ?? 0n;

/** Works through the days after a missed second month, until the subscription is stopped. */
async function stopped({ key }: Payer, externalId: string): Promise<string> {
  const { world } = scene;
  const id = await world.subscribe(key, externalId);
  await world.take(key, 9n * PRICE);
  for (const days of [30, 1, 1, 1]) {
    world.advance(days * DAY);
    await world.work();
  }
  expect((await storedSubscription(world, id)).status).toBe('stopped');
  return id;
}

describe('a customer whose subscription stopped', () => {
  // coming-back#comeback-pays-the-current-period, coming-back#superseded-by-a-comeback
  it('comes back by a checkout, without a deposit, and pays the period in progress', async () => {
    const payer = await scene.payer();
    const old = await stopped(payer, 'comes-back');
    const page = await scene.page(await scene.checkoutPath({ external_id: 'comes-back' }), payer);
    await press(page, NAME);
    await heading(page, 'One thing is missing');
    await scene.world.give(payer.key, PRICE);
    await press(page, 'Check again');
    await heading(page, 'Check and pay');
    expect(await page.locator('[part~="costs"]').innerText()).not.toContain('Deposit');
    await pay(page);
    await isPaid(page);
    const now = await scene.paidOf(payer.key);
    expect(now.map(({ status }) => status)).toEqual(['active']);
    expect((await storedSubscription(scene.world, old)).status).toBe('superseded');
    expect(await scene.world.holding(payer.key)).toBe(0n);
  });

  // portal#actions-of-a-customer
  it('comes back in the portal, which then shows what runs and no second offer', async () => {
    const payer = await scene.payer();
    await stopped(payer, 'portal-back');
    await scene.world.give(payer.key, 2n * PRICE);
    const page = await scene.page(await scene.portalPath({ external_id: 'portal-back' }), payer);
    await shows(page, 'Stopped');
    await press(page, 'Subscribe again: Pro');
    await review(page);
    await pay(page);
    await isPaid(page);
    await press(page, 'Show my subscriptions');
    await shows(page, 'Active');
    expect(await page.getByRole('button', { name: 'Subscribe again: Pro' }).count()).toBe(0);
    // The wallet has the account of the old plan until it is closed.
    expect(await page.getByText('Change the plan').count()).toBe(0);
    expect(await scene.world.holding(payer.key)).toBe(PRICE);
  });
});

describe('a customer who changes the plan', () => {
  // portal#actions-of-a-customer, plan-changes#change-in-the-terms
  it('does so in the portal, and reads what ends before signing', async () => {
    const { world } = scene;
    await world.publishPlan(world.projectId, 'lite', { name: 'Lite', amount: String(PRICE / 5n) });
    const payer = await scene.payer();
    const old = await world.subscribe(payer.key, 'changes');
    const plans = { external_id: 'changes', plans: ['lite'] };
    const page = await scene.page(await scene.portalPath(plans), payer);
    await page.getByText('Change the plan').click();
    await press(page, /^Lite/);
    await heading(page, words.chooseWallet);
    expect(await textOf(page)).not.toContain('Pro');
    await review(page);
    await shows(page, 'Change to Lite');
    await shows(page, /Pro, which is paid until .+: nothing of it is given back/);
    await pay(page);
    await isPaid(page);
    await press(page, 'Show my subscriptions');
    await shows(page, 'Active');
    await shows(page, words.planChanged);
    expect(await page.getByRole('button', { name: 'Subscribe again: Pro' }).count()).toBe(0);
    expect((await storedSubscription(world, old)).endReason).toBe('plan_changed');
    expect((await scene.paidOf(payer.key)).map(({ status }) => status).toSorted()).toEqual([
      'active',
      'ended',
    ]);
  });

  // plan-changes#link-of-a-change
  it('does so by a link that the shop sent to everybody', async () => {
    const { world } = scene;
    const payer = await scene.payer();
    const old = await world.subscribe(payer.key, 'by-link');
    const shop = world.billing.project(world.projectId);
    const { url } = await shop.links.create({ plan: 'lite', replaces: 'pro' });
    const page = await scene.page(new URL(url).pathname, payer);
    await review(page);
    await shows(page, 'Change to Lite');
    await pay(page);
    await isPaid(page);
    expect((await storedSubscription(world, old)).endReason).toBe('plan_changed');
  });
});

describe('a plan', () => {
  const publish = (slug: string, more: Parameters<TestWorld['publishPlan']>[2]) =>
    scene.world.publishPlan(scene.world.projectId, slug, { name: `Plan ${slug}`, ...more });

  // terms#terms-of-a-single-charge
  it('that ends within its first period is a single charge, and says so to the end', async () => {
    await publish('course', { ends_at: inDays(40).toISOString() });
    scene.world.advance(20 * DAY);
    const payer = await scene.payer();
    const page = await scene.page(await scene.checkoutPath({ plan: 'course' }), payer);
    await review(page);
    await shows(page, 'in full, now');
    await shows(page, /the plan ends on \d{4}-\d\d-\d\d/);
    expect(await textOf(page)).not.toContain('until you cancel');
    await pay(page);
    await isPaid(page);
    await shows(page, 'Nothing more is charged.');
    await scene.expectPaidOnce(payer);
  });

  // terms#terms-of-a-plan-end
  it('with a later end says when the last charge is', async () => {
    await publish('season', { ends_at: inDays(100).toISOString() });
    const payer = await scene.payer();
    const page = await scene.page(await scene.checkoutPath({ plan: 'season' }), payer);
    await review(page);
    await shows(page, 'until you cancel or the plan ends on');
    await shows(page, 'for the last period that starts before the plan ends');
    await pay(page);
    await isPaid(page);
    await shows(page, 'Next payment');
  });

  // checkout#plan-checks-at-checkout, checkout-sessions#plans-of-a-session
  it.each<[string, string, (plan: string) => Promise<void>]>([
    [
      'takes no new subscribers',
      'This plan takes no new subscribers.',
      async (plan) => (await scene.world.outside(scene.world.owner, plan)).sunset(),
    ],
    [
      'has ended',
      'This plan has ended',
      async () => {
        scene.world.advance(61 * DAY);
        await scene.world.work();
      },
    ],
  ])('that %s is refused on the way, and charges nothing', async (name, sentence, change) => {
    const slug = name.replaceAll(' ', '-');
    await publish(slug, { ends_at: inDays(60).toISOString() });
    const payer = await scene.payer();
    const path = await scene.checkoutPath({
      plan: slug,
      expires_in: 604_800,
      cancel_url: 'https://shop.example/prices',
    });
    const link = await scene.linkPath({ plan: slug });
    const page = await scene.page(path, payer);
    await review(page);
    await change(slug);
    scene.world.advance(31_000);
    const [opened] = await Promise.all([scene.page(link, payer), pay(page)]);
    await heading(page, 'Not available');
    if (name === 'takes no new subscribers') await shows(page, sentence);
    await page.getByRole('link', { name: 'Back to Night Library' }).first().waitFor();
    const wallet = opened.getByRole('button', { name: NAME });
    const failed = opened.getByRole('heading', { name: 'Not available' });
    await wallet.or(failed).first().waitFor();
    if (await wallet.isVisible()) await wallet.click();
    await failed.waitFor();
    expect(await textOf(opened)).toMatch(/takes no new|has ended|not offered/);
    expect(payer.questions).toEqual([]);
    expect(await scene.world.holding(payer.key)).toBe(10n * PRICE);
  });
});

/** Opens a portal of an hour that begins now. */
const portal = async (externalId: string, payer: Payer): Promise<Page> =>
  scene.page(await scene.portalPath({ external_id: externalId }), payer);

// portal#actions-of-a-customer
it('a late customer retries too early, tops up, and pays', async () => {
  const payer = await scene.payer({ tokens: PRICE });
  const id = await scene.world.subscribe(payer.key, 'late');
  scene.world.advance(30 * DAY);
  await scene.world.work();
  const page = await portal('late', payer);
  await press(page, 'Pay 5 tokens now: Pro');
  await shows(page, 'The wallet has too little of the token.');
  await scene.world.give(payer.key, PRICE);
  scene.world.advance(61_000);
  const ordered = page.waitForResponse(/\/retry$/);
  await press(page, 'Pay 5 tokens now: Pro');
  await ordered;
  await scene.world.work();
  await shows(page, 'Paid. The subscription goes on.');
  await shows(page, 'Active');
  expect((await storedSubscription(scene.world, id)).status).toBe('active');
  expect(await scene.world.holding(payer.key)).toBe(0n);
});

// cancel-resume-close#deposit-returns-to-its-payer
it.each(['signs', 'sends what it signs'])(
  'a wallet that %s cancels, resumes, cancels, closes and has its deposit back',
  async (kind) => {
    const externalId = `closes, ${kind}`;
    const payer = await scene.payer(
      kind === 'signs'
        ? {}
        : {
            more: () => ({
              send: (wire: Parameters<typeof sendTransaction>[1]) => sendTransaction(scene.world.rpc, wire),
            }),
          },
    );
    const before = lamportsOf(payer);
    const id = await scene.world.subscribe(payer.key, externalId);
    const paid = before - lamportsOf(payer);
    const page = await portal(externalId, payer);
    await cancel(page);
    await press(page, NAME);
    await shows(page, 'Cancelled. Solana confirmed it');
    await press(page, 'Resume: Pro');
    await shows(page, 'Resumed.');
    scene.world.advance(2_000);
    await cancel(page);
    await shows(page, 'Cancelled. Solana confirmed it');
    expect(await page.getByRole('button', { name: /^Close/ }).count()).toBe(0);
    scene.world.advance(31 * DAY);
    await scene.world.work();
    await press(page, 'Refresh');
    await shows(page, 'The time of this page is over.');
    const later = await portal(externalId, payer);
    const closing = lamportsOf(payer);
    await press(later, 'Close and get the deposit back: Pro');
    await press(later, NAME);
    await shows(later, 'Closed. Its deposit was returned');
    const returned = lamportsOf(payer) - closing;
    // The deposit of the subscription; that of the wallet's authority stays for the next one.
    expect(returned).toBeGreaterThan(1_000_000n);
    expect(returned).toBeLessThan(paid);
    expect((await storedSubscription(scene.world, id)).endReason).toBe('closed');
    expect(await scene.world.holding(payer.key)).toBe(9n * PRICE);
  },
);

it('a change that is interrupted is done once, after a reload or with the connection back', async () => {
  const change = async (moment: string, accident: (page: Page) => Promise<unknown>) => {
    const externalId = `interrupted ${moment} ${accident.name}`;
    const payer = await scene.payer();
    await scene.world.subscribe(payer.key, externalId);
    const page = await portal(externalId, payer);
    let isOver = false;
    await page.route(`**/customer/v1/subscriptions/*/${moment}`, async (route) => {
      if (isOver) return route.continue();
      isOver = true;
      await route.fetch();
      await accident(page);
      await route.abort().catch(() => undefined);
    });
    await cancel(page);
    await press(page, NAME);
    const done = page.getByText('Cancelled. Solana confirmed it').first();
    const next = page.getByRole('button', {
      name: new RegExp(`^(Try again: Cancel|Cancel: Pro|${words.cancel}|${NAME})$`),
    });
    for (;;) {
      await done.or(next).first().waitFor();
      if (await done.isVisible()) break;
      await page.context().setOffline(false);
      await next
        .last()
        .click({ timeout: 1_000 })
        .catch(() => undefined);
    }
    expect((await scene.paidOf(payer.key)).map(({ status }) => status)).toEqual(['cancelled']);
    return payer.questions;
  };
  const reload = (page: Page) => page.reload();
  const loseConnection = (page: Page) => page.context().setOffline(true);
  const asked = await Promise.all(
    [reload, loseConnection].flatMap((accident) =>
      ['send', 'cancel/confirm'].map((moment) => change(moment, accident)),
    ),
  );
  // What was signed was kept, so nobody was asked twice.
  for (const questions of asked) expect(questions).toEqual(['payment']);
});

// Heavy: Chromium opens the same checkout in several tabs and by several people.

import { ENGLISH } from '@subrail/browser';
import { DAY, MINUTE, PRICE } from '@subrail/test-world';
import { describe, expect, it } from 'vitest';
import { goOn, heading, isPaid, NAME, openScene, pay, press, review, shows, textOf } from './scene.js';

const scene = openScene();

const PAYMENT = `Approve the payment in ${NAME}`;
const TERMS = `Sign the terms in ${NAME}`;

// checkout-sessions#repeated-session-calls
describe('two tabs of one browser', () => {
  it('pay once: the second one waits, and then says that it is paid', async () => {
    const payer = await scene.payer({ asks: true });
    const first = await scene.page(await scene.checkoutPath(), payer);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await Promise.all([review(first), review(second)]);
    await pay(first);
    await heading(first, TERMS);
    payer.approve();
    await heading(first, PAYMENT);
    await pay(second);
    await shows(second, 'This is open in another tab of your browser.');
    payer.approve();
    await isPaid(first);
    await press(second, 'Try again');
    await isPaid(second);
    expect(payer.questions).toEqual(['terms', 'payment']);
    await scene.expectPaidOnce(payer);
  });

  it('pay once, too, when the first one is closed while its wallet asks', async () => {
    const payer = await scene.payer({ asks: true });
    const first = await scene.page(await scene.checkoutPath(), payer);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await Promise.all([review(first), review(second)]);
    await pay(first);
    await heading(first, TERMS);
    await first.close();
    await pay(second);
    await heading(second, TERMS);
    payer.approve();
    await heading(second, PAYMENT);
    payer.approve();
    await isPaid(second);
    await scene.expectPaidOnce(payer);
  });
});

// checkout-sessions#reserved-and-submitted
describe('two people with one link and one wallet', () => {
  it('pay once when one is first, and the other learns that it is paid', async () => {
    const [payer, path] = [await scene.payer(), await scene.linkPath()];
    const [first, second] = [await scene.page(path, payer), await scene.page(path, payer)];
    await Promise.all([review(first), review(second)]);
    await pay(first);
    await isPaid(first);
    await pay(second);
    await shows(second, 'it was paid in another place');
    await press(second, 'Try again');
    await shows(second, 'You are subscribed to this plan already.');
    await heading(second, 'Nothing to pay here');
    await scene.expectPaidOnce(payer);
  });

  it('pay once when both sign before either is sent', async () => {
    let isFull: () => void = () => undefined;
    const bothAsked = new Promise<void>((resolve) => (isFull = resolve));
    let asked = 0;
    const payer = await scene.payer({
      async asked(what) {
        if (what !== 'payment') return;
        asked += 1;
        if (asked === 2) isFull();
        await bothAsked;
      },
    });
    const path = await scene.linkPath();
    const both = [await scene.page(path, payer), await scene.page(path, payer)];
    const ends = await Promise.all(both.map(goOn));
    // The one whose transaction was replaced is asked anew, or learns that it is paid.
    expect(ends.map(({ end }) => end)).toContain('You are subscribed to Pro');
    await scene.expectPaidOnce(payer);
  });
});

describe('a session that is over', () => {
  // checkout-sessions#expired-session
  it('says so on the way, and leads back to the shop', async () => {
    const payer = await scene.payer();
    const path = await scene.checkoutPath({ expires_in: 300, cancel_url: 'https://shop.example/prices' });
    const page = await scene.page(path, payer);
    await review(page);
    scene.world.advance(6 * MINUTE);
    for (const act of [() => pay(page), () => page.reload()]) {
      await act();
      await shows(page, 'The time of this page is over.');
      const back = page.getByRole('link', { name: 'Back to Night Library' }).first();
      expect(await back.getAttribute('href')).toBe('https://shop.example/prices');
    }
    expect(await scene.world.holding(payer.key)).toBe(10n * PRICE);
  });

  // checkout-sessions#expired-session
  it('of a portal leads to what a wallet alone shows', async () => {
    const page = await scene.page(await scene.portalPath({ external_id: 'nobody', expires_in: 300 }));
    await heading(page, 'Your subscriptions');
    scene.world.advance(6 * MINUTE);
    await page.reload();
    await shows(page, ENGLISH.problems.session_expired);
    await page.getByRole('link', { name: 'Show my subscriptions' }).click();
    await page.waitForURL('**/cancel');
  });

  // checkout-sessions#expired-session
  it('still settles a payment that was signed before', async () => {
    const payer = await scene.payer({ asks: true });
    const page = await scene.page(await scene.checkoutPath({ expires_in: 300 }), payer);
    scene.world.advance(5 * MINUTE - 40_000);
    await review(page);
    await pay(page);
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    scene.world.advance(45_000);
    payer.approve();
    await isPaid(page);
    await scene.expectPaidOnce(payer);
  });

  // checkout-sessions#state-of-a-session
  it('says that it is paid, in another browser and long afterwards', async () => {
    const [payer, path] = [await scene.payer(), await scene.checkoutPath()];
    const page = await scene.page(path, payer);
    await review(page);
    await pay(page);
    await isPaid(page);
    const other = await scene.page(path);
    await isPaid(other);
    scene.world.advance(2 * DAY);
    await other.reload();
    await isPaid(other);
  });
});

// checkout-sessions#secret-of-a-session, checkout-sessions#plan-links
it('opens nothing with ids, made-up secrets and links that lead nowhere', async () => {
  const { id, url } = await scene.shop().checkouts.create({ plan: 'pro', external_id: 'reader' });
  const link = await scene.shop().links.create({ plan: 'pro' });
  await scene.shop().links.end(link.id);
  const made = `chs_${'a'.repeat(43)}`;
  const secret = new URL(url).hash.slice(1);
  const cases: [string, string][] = [
    [`/checkout#${id}`, 'This page was opened without its key.'],
    ['/checkout#%3Cimg%20src=x%20onerror=alert(1)%3E', 'This page was opened without its key.'],
    ['/checkout#\u{1f512}', 'This page was opened without its key.'],
    [`/checkout#${secret}x`, 'This page was opened without its key.'],
    [`/checkout#${made}`, 'This page is no longer known.'],
    [`/portal#${id}`, 'This page was opened without its key.'],
    [`/portal#${made}`, 'This page is no longer known.'],
    [`/checkout/lnk_${'a'.repeat(24)}`, 'This link leads nowhere.'],
    ['/checkout/lnk_mis-typed', 'This link leads nowhere.'],
    [`/checkout/${link.id}`, 'This link was ended.'],
  ];
  const { page } = await scene.open('/cancel', []);
  for (const [path, sentence] of cases) {
    // Another fragment alone loads no page.
    await page.goto('about:blank');
    await page.goto(scene.pages.url + path);
    await shows(page, sentence);
    expect(await textOf(page)).not.toContain('Night Library');
  }
});

// checkout-sessions#another-customers-subscription, checkout-sessions#customer-of-a-session
it('shows nothing of a customer of the same name in another project, or of another customer', async () => {
  const { world } = scene;
  await world.subscribe(await world.wallet(10n * PRICE), 'namesake');
  const { id: project } = await world.billing.projects.create({ name: 'Day Library', tier: 'business' });
  const other = world.billing.project(project);
  const { url } = await other.portal.create({ external_id: 'namesake' });
  const { page } = await scene.open(`/portal${new URL(url).hash}`, []);
  await shows(page, 'You have no subscription here yet.');
  expect(await textOf(page)).not.toContain('Night Library');
  // Another session in the same tab shows another customer, and nothing of the first one stays.
  const [own, stranger] = [
    await scene.portalPath({ external_id: 'namesake' }),
    await scene.portalPath({ external_id: 'stranger' }),
  ];
  await page.goto(scene.pages.url + own);
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  await page.goto(scene.pages.url + stranger);
  await shows(page, 'You have no subscription here yet.');
  expect(await page.getByRole('article').count()).toBe(0);
});

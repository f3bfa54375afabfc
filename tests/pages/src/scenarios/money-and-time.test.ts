// Heavy: Chromium pays while money is missing, time runs out and terms change.

import { DAY, MINUTE, PRICE } from '@subrail/test-world';
import { switchAccounts } from '@subrail/testing';
import { describe, expect, it } from 'vitest';
import { heading, isPaid, NAME, openScene, pay, press, review, shows } from './scene.js';

const scene = openScene();

const PAYMENT = `Approve the payment in ${NAME}`;
const TERMS = `Sign the terms in ${NAME}`;

describe('money', () => {
  // checkout#wallet-that-cannot-pay
  it('that is missing is named, tokens first and then SOL, until there is enough to pay', async () => {
    const payer = await scene.payer({ tokens: PRICE / 2n });
    const { localnet } = scene.world;
    localnet.setAccount(payer.key.address, { lamports: 1_000_000n });
    const page = await scene.page(await scene.checkoutPath(), payer);
    await press(page, NAME);
    await heading(page, 'One thing is missing');
    await shows(page, 'The wallet has too little of the token.');
    await shows(page, '2.5');
    await press(page, 'Check again');
    await heading(page, 'One thing is missing');
    await scene.world.give(payer.key, PRICE / 2n);
    await press(page, 'Check again');
    await shows(page, 'The wallet has too little SOL for the costs.');
    expect(payer.questions).toEqual([]);
    localnet.airdrop(payer.key.address, 100_000_000n);
    await press(page, 'Check again');
    await heading(page, 'Check and pay');
    await pay(page);
    await isPaid(page);
    await scene.expectPaidOnce(payer, PRICE);
  });

  // checkout#simulation-before-sending
  it('that leaves the wallet before it signs, and after, is asked for again', async () => {
    const payer = await scene.payer({ asks: true });
    const page = await scene.page(await scene.checkoutPath(), payer);
    await review(page);
    await pay(page);
    await heading(page, TERMS);
    await scene.world.take(payer.key, 10n * PRICE);
    payer.approve();
    await heading(page, 'One thing is missing');
    await scene.world.give(payer.key, 10n * PRICE);
    await press(page, 'Check again');
    await heading(page, 'Check and pay');
    await pay(page);
    await heading(page, PAYMENT);
    await scene.world.take(payer.key, 10n * PRICE);
    payer.approve();
    await heading(page, 'One thing is missing');
    await shows(page, 'Nothing was charged.');
    await scene.world.give(payer.key, 10n * PRICE);
    await press(page, 'Check again');
    await heading(page, 'Check and pay');
    await pay(page);
    await heading(page, PAYMENT);
    payer.approve();
    await isPaid(page);
    // The terms were signed once, and stayed good.
    expect(payer.questions).toEqual(['terms', 'payment', 'payment']);
    await scene.expectPaidOnce(payer);
  });
});

describe('time', () => {
  it('that runs out before the payment is approved makes the wallet ask once more', async () => {
    const payer = await scene.payer({ asks: true });
    const page = await scene.page(await scene.linkPath(), payer);
    await review(page);
    await pay(page);
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    scene.world.advance(3 * MINUTE);
    payer.approve();
    await shows(page, 'The transaction was signed too late and has expired.');
    await heading(page, PAYMENT);
    payer.approve();
    await isPaid(page);
    expect(payer.questions).toEqual(['terms', 'payment', 'payment']);
    await scene.expectPaidOnce(payer);
  });

  // terms#terms-lifetime-and-nonce
  it('that runs out while the terms are read has them signed anew', async () => {
    const payer = await scene.payer({ asks: true });
    const page = await scene.page(await scene.checkoutPath(), payer);
    await review(page);
    await pay(page);
    await heading(page, TERMS);
    scene.world.advance(6 * MINUTE);
    payer.approve();
    await shows(page, 'The terms were signed too long ago.');
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    scene.world.advance(6 * MINUTE);
    payer.approve();
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    payer.approve();
    await isPaid(page);
    expect(payer.questions).toEqual(['terms', 'terms', 'payment', 'terms', 'payment']);
    await scene.expectPaidOnce(payer);
  });

  // checkout#checkout-lifetime
  it('that runs out before anything is signed begins the checkout again', async () => {
    const payer = await scene.payer();
    const page = await scene.page(await scene.checkoutPath(), payer);
    await review(page);
    scene.world.advance(31 * MINUTE);
    await scene.world.work();
    await pay(page);
    await shows(page, 'This checkout is over');
    await press(page, 'Try again');
    await heading(page, 'Check and pay');
    await pay(page);
    await isPaid(page);
    await scene.expectPaidOnce(payer);
  });
});

// terms#terms-changed-before-submit
describe('terms that change', () => {
  it('are shown with what changed, before and after the old ones were signed', async () => {
    const { world } = scene;
    await world.publishPlan(world.projectId, 'changing', { name: 'Changing' });
    const payer = await scene.payer({ asks: true });
    const outside = await world.outside(payer.key, 'changing');
    const page = await scene.page(await scene.checkoutPath({ plan: 'changing' }), payer);
    await review(page);
    const whole = (ms: number) => new Date(Math.ceil(ms / 1000) * 1000);
    await outside.endAt(whole(world.now().getTime() + 400 * DAY));
    world.advance(31_000);
    await pay(page);
    await shows(page, 'This changed');
    await shows(page, /until you cancel or the plan ends on/);
    expect(payer.questions).toEqual([]);
    await pay(page);
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    await outside.endAt(whole(world.now().getTime() + 300 * DAY));
    world.advance(31_000);
    payer.approve();
    await shows(page, 'This changed');
    await shows(page, 'The terms changed. Nothing was charged.');
    expect(await world.holding(payer.key)).toBe(10n * PRICE);
    await pay(page);
    await heading(page, TERMS);
    payer.approve();
    await heading(page, PAYMENT);
    payer.approve();
    await isPaid(page);
    await scene.expectPaidOnce(payer);
  });
});

describe('a wallet that switches its account', () => {
  it('in the review, and while it is asked, has the one pay that the page shows', async () => {
    const [first, second] = [await scene.payer({ asks: true }), await scene.payer({ asks: true })];
    const accounts = [...first.wallet.accounts, ...second.wallet.accounts];
    const { page } = await scene.open(await scene.checkoutPath(), [{ name: NAME, accounts }]);
    await review(page);
    await switchAccounts(page, NAME, [second.key.address]);
    await shows(page, 'The wallet switched to another account.');
    await page.locator(`[title="${second.key.address}"]`).waitFor();
    await pay(page);
    await heading(page, TERMS);
    second.approve();
    await heading(page, PAYMENT);
    await switchAccounts(page, NAME, [first.key.address]);
    await shows(page, 'The wallet switched to another account.');
    await page.locator(`[title="${first.key.address}"]`).waitFor();
    // What the other account signs now goes nowhere.
    second.approve();
    await pay(page);
    await heading(page, TERMS);
    first.approve();
    await heading(page, PAYMENT);
    first.approve();
    await isPaid(page);
    await scene.expectPaidOnce(first);
    expect(await scene.world.holding(second.key)).toBe(10n * PRICE);
  });
});

import type { KeyPairSigner } from '@solana/kit';
import type { ProjectId } from '@subrail/core/ports';
import { aCommit, anAddress, anId } from '@subrail/core/testing';
import {
  type IssuedCheckout,
  MINUTE,
  openTestWorld,
  outcomesPending,
  PRICE,
  SECOND,
  sendsLost,
  signCheckout,
  statusAndCode,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, expect, it } from 'vitest';
import { type CustomerPage, openLink, pageOf } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;
let link: string;
/** The customer whose checkout is the oldest. */
let page: CustomerPage;
let checkout: IssuedCheckout;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
  link = (await shop().links.create({ plan: 'pro' })).url;
  page = await visitor();
  checkout = await page.create(wallet);
});

const shop = () => world.billing.project(world.projectId);
const visitor = () => openLink(world, link);
const statusOf = async ({ subscription: { id } }: IssuedCheckout) =>
  (await storedSubscription(world, id)).status;
const createOf = async (by: CustomerPage) =>
  by.call('POST', '/subscriptions', { plan: 'pro', wallet: (await world.wallet(PRICE)).address });
const pendingOfLinks = async () => (await world.store.readPendingOfLinks(world.projectId as ProjectId)).count;

/** Strangers name wallets of others until the links keep so many pending, a second after the customer. */
async function fill(count = 500): Promise<void> {
  world.advance(SECOND);
  const own = await storedSubscription(world, checkout.subscription.id);
  const { checkoutExpiresAt } = await storedSubscription(
    world,
    (await (await visitor()).create(await world.wallet(PRICE))).subscription.id,
  );
  const strangers = Array.from({ length: count - 2 }, () =>
    aCommit({
      ...{ ...own, version: 1, checkoutExpiresAt },
      ...{ id: anId('sub'), wallet: anAddress(), reservedFor: anId('chk') },
    }),
  );
  expect(await world.store.commit(strangers)).toBe('committed');
  expect(await pendingOfLinks()).toBe(count);
}

// checkout-sessions#pending-by-links
it('500 that strangers keep pending are in the way of no customer', async () => {
  await fill();
  world.advance(MINUTE);
  const wallets = await Promise.all([1, 2, 3].map(() => world.wallet(PRICE)));
  for (const one of wallets) await (await visitor()).pay(one);
  expect(await statusOf(checkout)).toBe('expired');
  // Each payment of a link leaves room for another visit.
  expect(await pendingOfLinks()).toBe(499);
});

// checkout-sessions#pending-by-links
it('who signs one that expired for another pays nothing, and begins again in the same session', async () => {
  const signed = await signCheckout(wallet, checkout);
  await fill();
  world.advance(MINUTE);
  expect((await createOf(await visitor())).status).toBe(201);
  const path = `/subscriptions/${checkout.subscription.id}`;
  for (const answer of [
    await page.call('POST', `${path}/submit`, signed),
    await page.call('POST', `${path}/transaction`),
  ])
    expect(statusAndCode(answer)).toBe('409 not_awaiting_signature');
  expect(await world.holding(wallet)).toBe(10n * PRICE);
  const id = await page.pay(wallet);
  expect(id).not.toBe(checkout.subscription.id);
  expect(await page.view()).toMatchObject({ state: 'complete', subscriptions: [{ id }] });
});

// checkout-sessions#pending-by-links
it('none expires whose transaction may be in a wallet, and the project sells on', async () => {
  await fill();
  const other = await visitor();
  const refused = await createOf(other);
  expect(statusAndCode(refused)).toBe('429 pending_cap_reached');
  expect(refused.headers.get('retry-after')).toBe('59');
  world.advance(SECOND);
  await page.create(wallet);
  await pageOf(world, (await shop().checkouts.create({ plan: 'pro' })).url).pay(await world.wallet(PRICE));
  // The customer has a younger transaction now, so one of the strangers is the oldest.
  expect((await createOf(other)).headers.get('retry-after')).toBe('58');
  world.advance(58 * SECOND);
  expect((await createOf(other)).status).toBe(201);
  expect(await statusOf(checkout)).toBe('pending');
});

// checkout-sessions#pending-by-links
it('one that was submitted expires for no other', async () => {
  await fill();
  world.injectFaults(sendsLost, outcomesPending);
  expect((await page.submit(wallet, checkout)).body).toMatchObject({ reason_code: 'nothing_landed' });
  world.clearFaults();
  world.advance(MINUTE);
  expect(await pendingOfLinks()).toBe(499);
  for (let visits = 0; visits < 3; visits++) expect((await createOf(await visitor())).status).toBe(201);
  expect(await statusOf(checkout)).toBe('pending');
});

// checkout-sessions#pending-by-links
it('a submit that meets the visit which takes its place sends nothing', async () => {
  await fill();
  world.advance(50 * SECOND);
  const signed = await signCheckout(wallet, checkout);
  const visits: number[] = [];
  world.injectFaults((chain) => ({
    async simulate(wire) {
      world.advance(10 * SECOND);
      visits.push((await createOf(await visitor())).status);
      return chain.simulate(wire);
    },
  }));
  const submitted = await page.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, signed);
  expect([visits, statusAndCode(submitted)]).toEqual([[201], '409 not_awaiting_signature']);
  await world.work();
  expect(await world.holding(wallet)).toBe(10n * PRICE);
  expect(await page.view()).toMatchObject({ state: 'open', subscriptions: [] });
});

// checkout-sessions#pending-by-links
it('visits at once take the places of different ones', async () => {
  await fill();
  world.advance(MINUTE);
  const visitors = await Promise.all(Array.from({ length: 8 }, visitor));
  const answers = await Promise.all(visitors.map(createOf));
  expect(answers.map(statusAndCode)).toEqual(visitors.map(() => '201'));
  expect(await pendingOfLinks()).toBe(500);
});

// checkout-sessions#pending-by-links
it('visits at once do not pass the cap together', async () => {
  await fill(499);
  const visitors = await Promise.all(Array.from({ length: 8 }, visitor));
  let built = 0;
  let goOn = () => {};
  const allBuilt = new Promise<void>((resolve) => (goOn = resolve));
  // All of them have their transactions before the first is stored.
  world.injectFaults((chain) => ({
    async build(request) {
      const transaction = await chain.build(request);
      if (++built === visitors.length) goOn();
      await allBuilt;
      return transaction;
    },
    subscriptionAddress: async () => anAddress(),
  }));
  const answers = (await Promise.all(visitors.map(createOf))).map(statusAndCode);
  expect(answers.sort()).toEqual(['201', ...visitors.slice(1).map(() => '429 pending_cap_reached')]);
  expect(await pendingOfLinks()).toBe(500);
});

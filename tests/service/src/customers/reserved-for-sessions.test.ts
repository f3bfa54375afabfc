import type { KeyPairSigner } from '@solana/kit';
import {
  MINUTE,
  openTestWorld,
  outcomesPending,
  PRICE,
  sendsLost,
  signCheckout,
  statusAndCode,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CustomerPage, openLink, pageOf } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;
let link: string;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
  link = (await shop().links.create({ plan: 'pro', ask_email: true })).url;
});

const shop = () => world.billing.project(world.projectId);
const visitor = () => openLink(world, link);
const statusOf = async (id: string) => (await storedSubscription(world, id)).status;
const EMAIL = { email: 'reader@example.test' };

async function stateOf(page: CustomerPage): Promise<unknown> {
  return (await page.view())['state'];
}

// checkout-sessions#reserved-and-submitted
it.each([
  ['nobody', {}],
  ['an email', EMAIL],
])('a stranger who names the same wallet and %s changes nothing for the payer', async (_, typed) => {
  const page = await visitor();
  const checkout = await page.create(wallet, typed);
  const { id } = checkout.subscription;
  const signed = await signCheckout(wallet, checkout);
  const theirs: string[] = [];
  for (let times = 0; times < 3; times++) {
    world.advance(1000);
    const stranger = await visitor();
    for (const more of [typed, { email: 'stranger@example.test' }]) {
      const { subscription } = await stranger.create(wallet, more);
      await stranger.call('POST', `/subscriptions/${subscription.id}/transaction`);
      theirs.push(subscription.id);
    }
  }
  expect(new Set([id, ...theirs]).size).toBe(4);
  expect(await page.call('POST', `/subscriptions/${id}/submit`, signed)).toMatchObject({
    status: 201,
    body: { subscription: { id, status: 'active', email: 'email' in typed ? EMAIL.email : null } },
  });
  // checkout#other-checkouts-of-the-wallet
  for (const other of theirs) expect(await statusOf(other)).toBe('expired');
});

// checkout#repeated-create-is-idempotent
// checkout-sessions#repeated-session-calls
it('a session finds its own pending subscription, and gives it the email that was typed last', async () => {
  const page = await visitor();
  const { id } = (await page.create(wallet)).subscription;
  for (const [typed, stored] of [
    ['first@example.test', 'first@example.test'],
    ['second@example.test', 'second@example.test'],
    [undefined, 'second@example.test'],
  ]) {
    world.advance(1000);
    expect((await page.create(wallet, { email: typed })).subscription.id).toBe(id);
    expect(await storedSubscription(world, id)).toMatchObject({ email: stored });
  }
  expect((await page.create(await world.wallet(PRICE))).subscription.id).not.toBe(id);
});

// checkout#customer-of-a-checkout
// checkout#repeated-create-is-idempotent
it('the project and its named customers find no subscription that a session reserved', async () => {
  const page = await visitor();
  const checkout = await page.create(wallet, EMAIL);
  const { id } = checkout.subscription;
  const plan = { plan: 'pro', wallet: wallet.address };
  const named = pageOf(world, (await shop().checkouts.create({ plan: 'pro', ...EMAIL })).url);
  world.advance(1000);
  const ofServer = (await shop().subscriptions.create({ ...plan, ...EMAIL })).subscription.id;
  expect((await named.create(wallet)).subscription.id).toBe(ofServer);
  const ofWallet = (await shop().subscriptions.create(plan)).subscription.id;
  expect(new Set([id, ofServer, ofWallet]).size).toBe(3);
  const path = `/subscriptions/${id}`;
  const signed = await signCheckout(wallet, checkout);
  for (const [step, body] of [['transaction'], ['submit', signed], ['cancel']] as const)
    expect(statusAndCode(await named.call('POST', `${path}/${step}`, body))).toBe(
      '404 subscription_not_found',
    );
  expect((await page.submit(wallet, checkout)).status).toBe(201);
  // From its payment on it is one of the customer with that email.
  expect((await named.call('GET', path)).body).toMatchObject({ id, status: 'active' });
});

// checkout#cap-counts-own-checkouts
it('no number of sessions in which an email is typed fills the cap of that customer', async () => {
  for (let visits = 0; visits < 2; visits++) {
    const stranger = await visitor();
    for (let count = 0; count < 5; count++) await stranger.create(await world.wallet(PRICE), EMAIL);
  }
  const { address } = await world.wallet(PRICE);
  const { subscription } = await shop().subscriptions.create({ plan: 'pro', wallet: address, ...EMAIL });
  expect(subscription.status).toBe('pending');
});

// checkout-sessions#checkout-of-the-server
it('of two sessions that name one wallet, the first in vain, one is complete', async () => {
  const [page, other] = [await visitor(), await visitor()];
  world.injectFaults(sendsLost);
  const checkout = await page.create(wallet);
  expect((await page.submit(wallet, checkout)).body).toMatchObject({ reason_code: 'transaction_expired' });
  world.injectFaults(() => ({}));
  const id = await other.pay(wallet);
  expect(id).not.toBe(checkout.subscription.id);
  expect([await stateOf(page), await stateOf(other)]).toEqual(['open', 'complete']);
  expect(await statusOf(checkout.subscription.id)).toBe('expired');
  world.advance(MINUTE);
  const again = await page.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address });
  expect(statusAndCode(again)).toBe('409 already_subscribed');
});

// checkout-sessions#reserved-and-submitted
it('of two sessions that pay from one wallet at once, one payment lands', async () => {
  const pages = [await visitor(), await visitor()];
  const checkouts = [];
  for (const page of pages) {
    world.advance(1000);
    checkouts.push({ page, checkout: await page.create(wallet) });
  }
  await Promise.all(checkouts.map(({ page, checkout }) => page.submit(wallet, checkout)));
  await world.work();
  expect(await world.holding(wallet)).toBe(9n * PRICE);
  expect((await Promise.all(pages.map(stateOf))).sort()).toEqual(['complete', 'open']);
  const statuses = checkouts.map(({ checkout }) => statusOf(checkout.subscription.id));
  expect((await Promise.all(statuses)).sort()).toEqual(['active', 'expired']);
});

describe('a plan of one subscription per customer', () => {
  const named = async () => pageOf(world, (await shop().checkouts.create({ plan: 'pro', ...EMAIL })).url);
  const createOf = (page: CustomerPage, { address }: KeyPairSigner, typed = {}) =>
    page.call('POST', '/subscriptions', { plan: 'pro', wallet: address, ...typed });
  beforeEach(() => shop().plans.update('pro', { one_per_customer: true }));

  // checkout#one-per-customer
  // checkout-sessions#customer-of-a-session
  it('tells nobody who types an email whether it is that of a customer', async () => {
    const reserved = await visitor();
    await reserved.create(await world.wallet(PRICE), EMAIL);
    await (await named()).pay(wallet);
    for (const page of [reserved, await visitor()])
      expect((await createOf(page, await world.wallet(PRICE), EMAIL)).status).toBe(201);
    // The submit tells no more than the create.
    await (await visitor()).pay(await world.wallet(PRICE), EMAIL);
    const refused = await createOf(await named(), await world.wallet(PRICE));
    expect(statusAndCode(refused)).toBe('409 already_subscribed');
  });

  // checkout#one-per-customer
  it('is paid by its customer, whatever strangers pay who type the same email', async () => {
    await (await visitor()).pay(await world.wallet(PRICE), EMAIL);
    const stranger = await visitor();
    const payer = await world.wallet(PRICE);
    world.injectFaults(sendsLost, outcomesPending);
    const onItsWay = await stranger.submit(payer, await stranger.create(payer, EMAIL));
    expect(onItsWay.body).toMatchObject({ reason_code: 'nothing_landed' });
    world.clearFaults();
    const id = await (await named()).pay(wallet);
    expect(await statusOf(id)).toBe('active');
  });

  // management#subscription-explained, management#doctor
  it('is not said to pay twice for a stranger who typed the same email', async () => {
    const ids = [
      await (await named()).pay(wallet),
      await (await visitor()).pay(await world.wallet(PRICE), EMAIL),
      await (await visitor()).pay(await world.wallet(PRICE), EMAIL),
    ];
    for (const id of ids)
      expect((await shop().subscriptions.explain(id)).state.join(' ')).not.toContain('another wallet');
    expect((await shop().doctor.examine()).notes).toEqual([]);
  });
});

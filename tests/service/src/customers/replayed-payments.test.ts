import type { KeyPairSigner } from '@solana/kit';
import {
  type ApiAnswer,
  type IssuedCheckout,
  openTestWorld,
  PRICE,
  sendsLost,
  signCheckout,
  statusAndCode,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, expect, it } from 'vitest';
import { type CustomerPage, pageOf } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

const shop = () => world.billing.project(world.projectId);
const stateOf = async ({ id }: { readonly id: string }) => (await shop().checkouts.retrieve(id)).state;

async function open(fields: object = {}): Promise<CustomerPage & { readonly id: string }> {
  const { id, url } = await shop().checkouts.create({ plan: 'pro', ...fields });
  return { ...pageOf(world, url), id };
}

function submit(page: CustomerPage, checkout: IssuedCheckout, signed: object): Promise<ApiAnswer> {
  return page.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, signed);
}

// checkout-sessions#reserved-and-submitted
// checkout-sessions#state-of-a-session
it('an old payment of a customer completes no new checkout of the same customer', async () => {
  await world.publishPlan(world.projectId, 'team');
  const first = await open({ external_id: 'reader' });
  const checkout = await first.create(wallet);
  const signed = await signCheckout(wallet, checkout);
  expect((await submit(first, checkout, signed)).status).toBe(201);
  for (const plan of ['pro', 'team']) {
    world.advance(1000);
    const next = await open({ external_id: 'reader', plan });
    // What it builds of an old subscription makes the payment none of its own.
    await next.call('POST', `/subscriptions/${checkout.subscription.id}/cancel`);
    await submit(next, checkout, signed);
    expect(await stateOf(next)).toBe('open');
  }
  expect(await stateOf(first)).toBe('complete');
});

// checkout-sessions#reserved-and-submitted
it('one payment completes one checkout, also when another one reserved for the same wallet', async () => {
  const [page, other] = [await open(), await open()];
  const checkout = await page.create(wallet);
  const others = await other.create(wallet);
  const last = await page.create(wallet);
  const signed = await signCheckout(wallet, last);
  expect((await submit(page, checkout, signed)).status).toBe(201);
  for (const one of [checkout, others])
    expect(statusAndCode(await submit(other, one, signed))).toBe('404 subscription_not_found');
  expect(await other.view()).toMatchObject({ state: 'open', subscriptions: [] });
  expect([await stateOf(page), await stateOf(other)]).toEqual(['complete', 'open']);
});

// checkout-sessions#checkout-of-the-server
it('two checkouts of one customer that submitted one subscription, the first in vain, both name it', async () => {
  const named = { external_id: 'reader' };
  const [page, other] = [await open(named), await open(named)];
  world.injectFaults(sendsLost);
  const lost = await page.submit(wallet, await page.create(wallet));
  expect(lost.body).toMatchObject({ reason_code: 'transaction_expired' });
  world.injectFaults(() => ({}));
  const id = await other.pay(wallet);
  for (const checkout of [page, other])
    expect(await shop().checkouts.retrieve(checkout.id)).toMatchObject({
      state: 'complete',
      subscription: { id },
    });
});

// checkout-sessions#plans-of-a-session
it('a pending subscription to another plan of the customer is not paid in a checkout', async () => {
  await world.publishPlan(world.projectId, 'team');
  const page = await open({ external_id: 'reader' });
  const checkout = await page.create(wallet);
  const other = await open({ external_id: 'reader', plan: 'team' });
  const path = `/subscriptions/${checkout.subscription.id}`;
  expect(statusAndCode(await other.call('POST', `${path}/transaction`))).toBe('404 plan_not_found');
  const signed = await signCheckout(wallet, checkout);
  expect(statusAndCode(await submit(other, checkout, signed))).toBe('404 plan_not_found');
  expect(await world.holding(wallet)).toBe(10n * PRICE);
  expect((await submit(page, checkout, signed)).status).toBe(201);
  expect([await stateOf(page), await stateOf(other)]).toEqual(['complete', 'open']);
});

// checkout-sessions#state-of-a-session
it('a complete checkout sends no second payment that was built before', async () => {
  const page = await open();
  const other = await world.wallet(PRICE);
  const second = await page.create(other);
  await page.pay(wallet);
  expect(statusAndCode(await page.submit(other, second))).toBe('409 session_complete');
  expect(await world.holding(other)).toBe(PRICE);
});

// checkout-sessions#reserved-and-submitted
it('a payment is in sight of its session before it is sent, so that a crash loses nothing', async () => {
  const page = await open();
  const checkout = await page.create(wallet);
  const { id } = checkout.subscription;
  const views: object[] = [];
  world.injectFaults((chain) => ({
    async send(wires) {
      views.push(await page.view());
      return chain.send(wires);
    },
  }));
  await page.submit(wallet, checkout);
  expect(views).toMatchObject([{ state: 'open', subscriptions: [{ id, status: 'pending' }] }]);
});

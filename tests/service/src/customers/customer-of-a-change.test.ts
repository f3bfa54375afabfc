import type { KeyPairSigner } from '@solana/kit';
import {
  openTestWorld,
  outcomesPending,
  PRICE,
  sendsLost,
  signCheckout,
  statusAndCode,
  storedSubscription,
  type IssuedCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectInvariants } from '../invariants/expect-invariants.js';
import { type CustomerPage, openLink } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
  await world.publishPlan(world.projectId, 'basic', { amount: String(PRICE / 4n) });
});

const shop = () => world.billing.project(world.projectId);
const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;
const EMAIL = 'reader@example.test';
const CUSTOMER = { external_id: 'customer-42', email: EMAIL };
const NOBODY = { external_id: null, email: null };

/** A page of the link by which wallets change from `pro` to `basic`. */
const followLink = async (): Promise<CustomerPage> =>
  openLink(world, (await shop().links.create({ plan: 'basic', replaces: 'pro' })).url);
const byLink = (page: CustomerPage) => page.create(wallet, { plan: 'basic' });

/** A create of the server, for a wallet and with what is named. */
async function create(payer: KeyPairSigner, more: object): Promise<IssuedCheckout> {
  const { status, body } = await world.call('POST', '/subscriptions', {
    ...{ plan: 'basic', wallet: payer.address },
    ...more,
  });
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
  return body as unknown as IssuedCheckout;
}

async function submit(payer: KeyPairSigner, checkout: IssuedCheckout) {
  const path = `/subscriptions/${checkout.subscription.id}/submit`;
  return world.call('POST', path, await signCheckout(payer, checkout));
}

// plan-changes#customer-of-a-change
describe('what a link creates', () => {
  it('has no customer until its wallet signed', async () => {
    const old = await world.subscribe(wallet, 'customer-42', EMAIL);
    const stranger = await byLink(await followLink());
    expect(await read(stranger.subscription.id)).toMatchObject(NOBODY);
    const page = await followLink();
    const checkout = await byLink(page);
    world.advance(1000);
    expect((await byLink(page)).subscription.id).toBe(checkout.subscription.id);
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-42');
    expect(body['data']).toMatchObject([{ id: old }]);
    expect((await page.submit(wallet, await byLink(page))).body).toMatchObject({
      subscription: { status: 'active', ...CUSTOMER },
    });
    const events = (await world.storedEvents()).filter(({ type }) => /created|expired/.test(type));
    expect(events).toMatchObject([
      { type: 'subscription.created', data: { external_id: 'customer-42' } },
      { type: 'subscription.created', data: { external_id: 'customer-42' } },
      { type: 'subscription.expired', data: { external_id: null } },
    ]);
    await expectInvariants(world, [old, stranger.subscription.id, checkout.subscription.id]);
  });
});

// plan-changes#customer-of-a-change
it.each([
  ['by the server', async (old: string) => create(wallet, { replaces: old })],
  ['by a link', async () => byLink(await followLink())],
])('a customer who was corrected during a change %s stays corrected', async (_, issue) => {
  const old = await world.subscribe(wallet, 'mistyped', 'mistyped@example.test');
  const checkout = await issue(old);
  await shop().subscriptions.update(old, CUSTOMER);
  world.advance(1000);
  expect((await submit(wallet, checkout)).body).toMatchObject({
    subscription: { status: 'active', ...CUSTOMER },
  });
});

// plan-changes#customer-of-a-change
it('a customer who is corrected while a change is on its way stays corrected', async () => {
  const old = await world.subscribe(wallet, 'mistyped');
  const checkout = await create(wallet, { replaces: old });
  world.injectFaults(outcomesPending);
  expect(statusAndCode(await submit(wallet, checkout))).toBe('201 nothing_landed');
  await shop().subscriptions.update(old, CUSTOMER);
  world.clearFaults();
  await world.work();
  expect(await read(checkout.subscription.id)).toMatchObject({ status: 'active', ...CUSTOMER });
});

// plan-changes#customer-of-a-change, checkout#one-per-customer
describe('a plan of one subscription per customer', () => {
  let other: KeyPairSigner;
  beforeEach(async () => {
    other = await world.wallet(10n * PRICE);
    await shop().plans.update('basic', { one_per_customer: true });
  });

  it.each([
    ['an external id', CUSTOMER],
    ['an email that the server named', { email: EMAIL }],
  ])('refuses a change by a link of a customer by %s, once the wallet signed', async (_, customer) => {
    await submit(wallet, await create(wallet, { plan: 'pro', ...customer }));
    await submit(other, await create(other, customer));
    const page = await followLink();
    const checkout = await byLink(page);
    expect(statusAndCode(await page.submit(wallet, checkout))).toBe('409 already_subscribed');
  });

  it('is paid once by two wallets at once, one of which changes by a link', async () => {
    await submit(wallet, await create(wallet, { plan: 'pro', email: EMAIL }));
    const page = await followLink();
    const checkout = await byLink(page);
    const second = await create(other, { email: EMAIL });
    world.injectFaults(sendsLost, outcomesPending);
    expect(statusAndCode(await page.submit(wallet, checkout))).toBe('201 nothing_landed');
    world.clearFaults();
    const again = await create(other, { email: EMAIL });
    expect(again.subscription.id).toBe(second.subscription.id);
    expect(statusAndCode(await submit(other, again))).toBe('409 subscription_changed');
  });

  it('counts no email that a stranger typed, after a change by the server neither', async () => {
    const { url } = await shop().links.create({ plan: 'pro', ask_email: true });
    const old = await (await openLink(world, url)).pay(wallet, { email: EMAIL });
    const checkout = await create(wallet, { replaces: old });
    expect((await submit(wallet, checkout)).body).toMatchObject({ subscription: { status: 'active' } });
    const { customerTyped } = await storedSubscription(world, checkout.subscription.id);
    expect(customerTyped).toBe(true);
    expect((await submit(other, await create(other, { email: EMAIL }))).body).toMatchObject({
      subscription: { status: 'active', email: EMAIL },
    });
  });
});

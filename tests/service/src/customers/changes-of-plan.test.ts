import type { KeyPairSigner } from '@solana/kit';
import { DAY, openTestWorld, PRICE, statusAndCode, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { openLink, pageOf, pageOfApp } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;
let old: string;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
  await world.publishPlan(world.projectId, 'basic', { amount: String(PRICE / 4n) });
  old = await world.subscribe(wallet, 'customer-42');
});

const shop = () => world.billing.project(world.projectId);
const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;
const changed = { status: 'ended', end_reason: 'plan_changed', access: false };

describe('in a portal', () => {
  const portal = async (plans?: string[]) =>
    pageOf(world, (await shop().portal.create({ external_id: 'customer-42', plans })).url);

  // portal#actions-of-a-customer, checkout-sessions#plans-of-a-session
  it('a customer changes to a plan that it names, and to no other one', async () => {
    const plain = await portal();
    expect(await plain.view()).toMatchObject({ subscriptions: [{ id: old, actions: ['cancel'] }] });
    const refused = await plain.call('POST', '/subscriptions', {
      ...{ plan: 'basic', wallet: wallet.address, replaces: old },
    });
    expect(statusAndCode(refused)).toBe('404 plan_not_found');
    const page = await portal(['basic']);
    expect(await page.view()).toMatchObject({ subscriptions: [{ id: old, actions: ['cancel', 'change'] }] });
    const id = await page.pay(wallet, { plan: 'basic', replaces: old });
    expect(await read(old)).toMatchObject(changed);
    expect(await read(id)).toMatchObject({ status: 'active', external_id: 'customer-42' });
    expect(await page.view()).toMatchObject({ subscriptions: [{ id, status: 'active' }, { id: old }] });
  });

  // plan-changes#plans-offered-for-a-change
  it('a customer is offered the old plan again once its account is closed, and none that is paid', async () => {
    const changesOf = async (id: string) => {
      const { subscriptions } = (await (await portal(['pro', 'basic'])).view()) as {
        subscriptions: readonly { id: string; actions: readonly string[]; changes_to: readonly string[] }[];
      };
      const { actions, changes_to: plans } = subscriptions.find((one) => one.id === id) ?? {};
      expect(actions?.includes('change')).toBe(plans?.length !== 0);
      return plans;
    };
    expect(await changesOf(old)).toEqual(['basic']);
    const id = await (await portal(['basic'])).pay(wallet, { plan: 'basic', replaces: old });
    expect([await changesOf(old), await changesOf(id)]).toEqual([[], []]);
    const body = { plan: 'pro', wallet: wallet.address, replaces: id };
    const early = await (await portal()).call('POST', '/subscriptions', body);
    expect(statusAndCode(early)).toBe('409 subscription_cancelled');
    world.advance(30 * DAY);
    await world.work();
    expect(await changesOf(id)).toEqual([]);
    const page = await portal();
    expect(statusAndCode(await page.act(wallet, old, 'close'))).toBe('201');
    expect(await changesOf(id)).toEqual(['pro']);
    // Another wallet of the customer pays for it.
    await world.subscribe(await world.wallet(PRICE), 'customer-42');
    expect(await changesOf(id)).toEqual([]);
  });

  // portal#subscriptions-a-customer-sees
  it('a customer replaces nothing of another one', async () => {
    const theirs = await world.subscribe(await world.wallet(PRICE), 'customer-7');
    const page = await portal(['basic']);
    const body = { plan: 'basic', wallet: wallet.address, replaces: theirs };
    expect(statusAndCode(await page.call('POST', '/subscriptions', body))).toBe('404 subscription_not_found');
  });

  // portal#customers-of-an-app
  it('so does a customer of an app, who is offered every plan', async () => {
    const page = pageOfApp(world, { external_id: 'customer-42' });
    await page.pay(wallet, { plan: 'basic', replaces: old });
    expect(await read(old)).toMatchObject(changed);
  });
});

// plan-changes#what-can-be-replaced
it('of a cancelled subscription is refused, and what the refusal advises works', async () => {
  await (await world.outside(wallet)).cancel();
  const change = { plan: 'basic', wallet: wallet.address, replaces: old };
  const refused = await world.call('POST', '/subscriptions', change);
  expect(statusAndCode(refused)).toBe('409 not_replaceable');
  expect(refused.body['message']).toMatch(
    /is not running, or is cancelled\. Subscribe .* without "replaces"\.$/,
  );
  const { replaces: _, ...plain } = change;
  expect((await world.call('POST', '/subscriptions', plain)).status).toBe(201);
});

// plan-changes#link-of-a-change
describe('by a link', () => {
  const link = async () => (await shop().links.create({ plan: 'basic', replaces: 'pro' })).url;

  it('whoever signs with the wallet changes, and stays the same customer', async () => {
    const page = await openLink(world, await link());
    expect(await page.view()).toMatchObject({ replaces: 'pro', plans: [{ slug: 'basic' }] });
    const checkout = await page.create(wallet, { plan: 'basic' });
    expect(checkout.terms.message).toContain('\nEnds now: pro, paid until ');
    // Whoever has the link and an address learns nothing of the customer.
    const seen = await page.call('GET', `/subscriptions/${checkout.subscription.id}`);
    expect(statusAndCode(seen)).toBe('404 subscription_not_found');
    expect((await page.submit(wallet, checkout)).body).toMatchObject({
      subscription: { status: 'active', external_id: 'customer-42' },
    });
    expect(await read(old)).toMatchObject(changed);
    expect(await page.view()).toMatchObject({ state: 'complete' });
  });

  it('a wallet without a running subscription to the old plan is refused', async () => {
    const page = await openLink(world, await link());
    const other = await world.wallet(PRICE);
    const body = { plan: 'basic', wallet: other.address };
    const refused = await page.call('POST', '/subscriptions', body);
    expect(statusAndCode(refused)).toBe('409 nothing_to_replace');
    expect(refused.body['message']).toMatch(/^This wallet pays for no .* or subscribe without this link\.$/);
  });

  it('a wallet that follows it again has the new plan already, paid or not', async () => {
    const url = await link();
    await (await openLink(world, url)).pay(wallet, { plan: 'basic' });
    const again = async () => {
      const page = await openLink(world, url);
      return statusAndCode(
        await page.call('POST', '/subscriptions', { plan: 'basic', wallet: wallet.address }),
      );
    };
    expect(await again()).toBe('409 already_subscribed');
    await world.take(wallet, await world.holding(wallet));
    world.advance(30 * DAY);
    await world.work();
    expect(await again()).toBe('409 payment_pending');
  });

  it.each([
    ['the plan itself', { plan: 'basic', replaces: 'basic' }, 'invalid_request'],
    ['an email', { plan: 'basic', replaces: 'pro', ask_email: true }, 'invalid_request'],
    ['a plan that nobody published', { plan: 'basic', replaces: 'gold' }, 'plan_not_found'],
  ])('is not made for %s', async (_, input, code) => {
    await expect(shop().links.create(input)).rejects.toMatchObject({ code });
    expect((await shop().links.list()).links).toEqual([]);
  });

  it('is listed with the plan that it replaces', async () => {
    await link();
    expect((await shop().links.list()).links).toMatchObject([{ plan: 'basic', replaces: 'pro' }]);
  });
});

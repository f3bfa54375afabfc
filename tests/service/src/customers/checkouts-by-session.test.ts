import type { KeyPairSigner } from '@solana/kit';
import { signMessage, signTransaction } from '@subrail/localnet';
import {
  type ApiAnswer,
  DAY,
  MINUTE,
  missSecondMonth,
  openTestWorld,
  PRICE,
  sendsLost,
  signatureOf,
  signCheckout,
  statusAndCode,
  storedSubscription,
  submitCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CustomerPage, pageOf } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

const shop = () => world.billing.project(world.projectId);

async function open(fields: object = {}): Promise<CustomerPage & { readonly id: string }> {
  const { id, url } = await shop().checkouts.create({ plan: 'pro', ...fields });
  return { ...pageOf(world, url), id };
}

const codeOf = ({ body }: ApiAnswer) => body['code'];
const idsOf = (view: Record<string, unknown>) =>
  (view['subscriptions'] as { readonly id: string }[]).map(({ id }) => id);

describe('a checkout by a session', () => {
  // portal#routes-of-a-customer
  it('shows whom the customer pays, and what for', async () => {
    const page = await open({ external_id: 'reader', email: 'Reader@Example.test', locale: 'de' });
    expect(await page.view()).toMatchObject({
      id: page.id,
      kind: 'checkout',
      state: 'open',
      project: { name: 'Night Library', accent: null, logo: null },
      network: 'devnet',
      plans: [{ slug: 'pro', available: true, offered: true, amount_display: '5' }],
      customer: { known: true, email: 'reader@example.test' },
      ask_email: false,
      locale: 'de',
      subscriptions: [],
      has_more: false,
    });
  });

  // checkout-sessions#customer-of-a-session
  // portal#terms-as-facts
  it('is created, signed and paid for its customer, and then complete', async () => {
    const page = await open({ external_id: 'reader', email: 'reader@example.test' });
    const checkout = await page.create(wallet);
    const { terms } = checkout as unknown as { terms: { message: string; facts: object[] } };
    expect(terms.facts).toHaveLength(terms.message.split('\n').length);
    expect(terms.facts[1]).toMatchObject({ name: 'amount', label: 'Amount', folded: true });
    const fresh = await page.call('POST', `/subscriptions/${checkout.subscription.id}/transaction`);
    expect(fresh.body['terms']).toEqual(terms);
    expect(await page.view()).toMatchObject({ state: 'open', subscriptions: [] });
    expect(await page.submit(wallet, fresh.body as never)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active', external_id: 'reader', email: 'reader@example.test' } },
    });
    expect(await page.view()).toMatchObject({
      state: 'complete',
      subscriptions: [{ id: checkout.subscription.id, status: 'active', actions: ['cancel'] }],
    });
    expect(await shop().checkouts.retrieve(page.id)).toMatchObject({
      state: 'complete',
      subscription: { id: checkout.subscription.id },
    });
  });

  // checkout-sessions#state-of-a-session
  it('creates nothing more once it is complete, and manages what was paid', async () => {
    const page = await open({ external_id: 'reader' });
    const other = await page.create(await world.wallet(PRICE));
    const id = await page.pay(wallet);
    const again = { plan: 'pro', wallet: (await world.wallet(PRICE)).address };
    expect(codeOf(await page.call('POST', '/subscriptions', again))).toBe('session_complete');
    const path = `/subscriptions/${other.subscription.id}`;
    expect(codeOf(await page.call('POST', `${path}/transaction`))).toBe('session_complete');
    expect(await page.act(wallet, id, 'cancel')).toMatchObject({
      status: 201,
      body: { subscription: { status: 'cancelled' } },
    });
    expect(await page.act(wallet, id, 'resume')).toMatchObject({
      body: { subscription: { status: 'active' } },
    });
    expect((await page.call('GET', `/subscriptions/${id}`)).body).toMatchObject({ id, status: 'active' });
    expect((await page.call('GET', `/subscriptions/${id}/attempts`)).body).toMatchObject({
      paid: { count: 1 },
    });
  });

  // checkout-sessions#repeated-session-calls
  it('answers a second tab and a repeated call with what it has', async () => {
    const page = await open();
    const times = [1, 2, 3, 4, 5];
    const created = await Promise.all(times.map(() => page.create(wallet)));
    expect(new Set(created.map(({ subscription: { id } }) => id)).size).toBe(1);
    const last = await page.create(wallet);
    const paid = await page.submit(wallet, last);
    const repeated = await Promise.all(times.map(() => page.submit(wallet, last)));
    for (const { status, body } of repeated)
      expect({ status, body }).toEqual({ status: 201, body: paid.body });
    expect(await world.holding(wallet)).toBe(9n * PRICE);
    expect(await page.view()).toMatchObject({ state: 'complete', has_more: false });
  });

  // checkout-sessions#reserved-and-submitted
  // portal#subscriptions-a-customer-sees
  it('shows a payment that is on its way, or did not land, to whoever made it and nobody else', async () => {
    const page = await open();
    const stranger = await open();
    const checkout = await page.create(wallet);
    await stranger.create(wallet);
    const { id } = checkout.subscription;
    const signed = await signCheckout(wallet, checkout);
    const reloads: object[] = [];
    world.injectFaults(sendsLost, (chain) => ({
      async resolve(queries) {
        reloads.push(await page.view());
        return chain.resolve(queries);
      },
    }));
    const submit = (by: CustomerPage, body: object) => by.call('POST', `/subscriptions/${id}/submit`, body);
    expect((await submit(page, signed)).body).toMatchObject({ reason_code: 'transaction_expired' });
    for (const view of [...reloads, await page.view()])
      expect(view).toMatchObject({ state: 'open', subscriptions: [{ id, status: 'pending' }] });
    expect(reloads.length).toBeGreaterThan(0);
    const other = await signMessage(await world.wallet(0n), checkout.terms.message);
    const replayed = await submit(stranger, { ...signed, terms_signature: other });
    expect(statusAndCode(replayed)).toBe('404 subscription_not_found');
    expect(await stranger.view()).toMatchObject({ subscriptions: [] });
  });

  // checkout-sessions#plans-of-a-session
  it('offers its own plans alone', async () => {
    await world.publishPlan(world.projectId, 'team');
    const page = await open();
    const create = (plan: string) => page.call('POST', '/subscriptions', { plan, wallet: wallet.address });
    expect(codeOf(await create('team'))).toBe('plan_not_found');
    expect(codeOf(await create('none'))).toBe('plan_not_found');
    const both = await open({ plan: undefined, plans: ['team', 'pro'] });
    expect(await both.view()).toMatchObject({ plans: [{ slug: 'team' }, { slug: 'pro' }] });
    await both.pay(wallet, { plan: 'team' });
  });

  // checkout-sessions#customer-of-a-session
  it('takes an email of a page that asks for one, and of no other', async () => {
    const asking = await open({ ask_email: true, external_id: 'reader' });
    expect(await asking.view()).toMatchObject({ ask_email: true });
    const id = await asking.pay(wallet, { email: 'New@Example.test' });
    expect(await storedSubscription(world, id)).toMatchObject({
      externalId: 'reader',
      email: 'new@example.test',
    });
    for (const page of [await open(), await open({ ask_email: true, email: 'known@example.test' })]) {
      const body = { plan: 'pro', wallet: wallet.address, email: 'new@example.test' };
      expect(codeOf(await page.call('POST', '/subscriptions', body))).toBe('invalid_request');
      expect(await page.view()).toMatchObject({ ask_email: false });
    }
  });
});

describe('an expired session', () => {
  // checkout-sessions#expired-session
  it('builds nothing, and still submits what was signed', async () => {
    const page = await open({ expires_in: 300 });
    world.advance(5 * MINUTE - 20_000);
    const checkout = await page.create(wallet);
    const path = `/subscriptions/${checkout.subscription.id}`;
    world.advance(20_000);
    expect(await page.view()).toMatchObject({ state: 'expired', subscriptions: [] });
    const create = { plan: 'pro', wallet: wallet.address };
    expect(codeOf(await page.call('POST', '/subscriptions', create))).toBe('session_expired');
    expect(codeOf(await page.call('POST', `${path}/transaction`))).toBe('session_expired');
    expect(await page.submit(wallet, checkout)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active' } },
    });
    expect(await page.view()).toMatchObject({
      state: 'complete',
      subscriptions: [{ status: 'active', actions: [] }],
    });
    expect((await page.call('GET', path)).status).toBe(200);
    for (const step of ['cancel', 'retry'])
      expect(codeOf(await page.call('POST', `${path}/${step}`))).toBe('session_expired');
  });

  // checkout-sessions#expired-session
  it('confirms a change that was on its way, and shows nothing else of its customer', async () => {
    const paid = await (await open({ external_id: 'reader' })).pay(wallet);
    const other = await world.wallet(PRICE);
    const unseen = await (await open({ external_id: 'reader' })).pay(other);
    const { url } = await shop().portal.create({ external_id: 'reader', expires_in: 300 });
    const portal = pageOf(world, url);
    expect(idsOf(await portal.view())).toEqual([unseen, paid]);
    const { body } = await portal.call('POST', `/subscriptions/${paid}/cancel`);
    const transaction = await signTransaction(wallet, String(body['transaction']));
    const { signature } = (await portal.call('POST', `/subscriptions/${paid}/send`, { transaction })).body;
    world.advance(5 * MINUTE);
    expect(await portal.call('POST', `/subscriptions/${paid}/cancel/confirm`, { signature })).toMatchObject({
      status: 201,
      body: { subscription: { status: 'cancelled' } },
    });
    expect(idsOf(await portal.view())).toEqual([paid]);
    expect(codeOf(await portal.call('GET', `/subscriptions/${unseen}`))).toBe('session_expired');
    expect(codeOf(await portal.call('POST', `/subscriptions/${paid}/resume`))).toBe('session_expired');
  });
});

describe('a portal', () => {
  // portal#subscriptions-a-customer-sees
  it('lists what its customer has, newest first, in pages without holes', async () => {
    const wallets = [wallet, await world.wallet(PRICE), await world.wallet(PRICE)];
    const ids: string[] = [];
    for (const one of wallets) {
      world.advance(1000);
      ids.unshift(await world.subscribe(one, 'reader'));
      // Checkouts of the customer that nobody paid lie between.
      world.advance(1000);
      await (await open({ external_id: 'reader' })).create(await world.wallet(PRICE));
    }
    await world.subscribe(await world.wallet(PRICE), 'somebody else');
    const portal = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    const list = async (query: string) => (await portal.call('GET', `/subscriptions${query}`)).body;
    const idsOn = (body: Record<string, unknown>) => (body['data'] as { id: string }[]).map(({ id }) => id);
    const first = await list('?limit=2');
    expect([idsOn(first), first['has_more']]).toEqual([ids.slice(0, 2), true]);
    const second = await list(`?limit=2&starting_after=${ids[1]}`);
    expect([idsOn(second), second['has_more']]).toEqual([ids.slice(2), false]);
    expect((await list('?starting_after=sub_none'))['code']).toBe('invalid_request');
    expect(await portal.view()).toMatchObject({ kind: 'portal', state: 'open', has_more: false });
    expect(idsOf(await portal.view())).toEqual(ids);
  });

  // checkout-sessions#plans-of-a-session
  // portal#actions-of-a-customer
  it('lets its customer come back to what ended, and to nothing else', async () => {
    await world.publishPlan(world.projectId, 'team');
    const id = await world.subscribe(wallet, 'reader');
    const portal = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    await portal.act(wallet, id, 'cancel');
    world.advance(30 * DAY);
    await world.work();
    const again = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    expect(await again.view()).toMatchObject({
      plans: [{ slug: 'pro', offered: true }],
      subscriptions: [{ id, status: 'ended', actions: ['close', 'subscribe'] }],
    });
    await again.act(wallet, id, 'close');
    const create = { plan: 'team', wallet: wallet.address };
    expect(statusAndCode(await again.call('POST', '/subscriptions', create))).toBe('404 plan_not_found');
    const newer = await again.pay(wallet);
    expect(await again.view()).toMatchObject({
      state: 'open',
      subscriptions: [
        { id: newer, actions: ['cancel'] },
        { id, actions: [] },
      ],
    });
  });

  // portal#actions-of-a-customer
  it('retries the charge of a missed period', async () => {
    const poor = await world.wallet(PRICE);
    const id = await world.subscribe(poor, 'reader');
    world.advance(30 * DAY);
    await world.work();
    const portal = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    expect(await portal.view()).toMatchObject({ subscriptions: [{ id, actions: ['cancel', 'retry'] }] });
    const retry = () => portal.call('POST', `/subscriptions/${id}/retry`);
    expect(codeOf(await retry())).toBe('insufficient_balance');
    await world.give(poor, PRICE);
    expect((await retry()).status).toBe(202);
    await world.work();
    expect(await portal.view()).toMatchObject({ subscriptions: [{ id, status: 'active' }] });
  });

  // portal#subscriptions-a-customer-sees
  it('shows a comeback in place of what stopped', async () => {
    const stopped = await missSecondMonth(world, wallet, 3);
    const portal = pageOf(world, (await shop().portal.create({ external_id: 'customer-1' })).url);
    expect(await portal.view()).toMatchObject({
      subscriptions: [{ id: stopped, status: 'stopped', actions: ['cancel', 'subscribe'] }],
    });
    const id = await portal.pay(wallet);
    expect(await portal.view()).toMatchObject({ subscriptions: [{ id, actions: ['cancel'] }] });
    expect(idsOf(await portal.view())).toEqual([id]);
    expect((await portal.call('GET', `/subscriptions/${stopped}`)).body).toMatchObject({
      status: 'superseded',
    });
  });

  // portal#sending-for-a-wallet
  it('sends what the wallet of the subscription signed about it, and nothing else', async () => {
    const id = await world.subscribe(wallet, 'reader');
    const other = await world.wallet(PRICE);
    const otherId = await world.subscribe(other, 'reader');
    const portal = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    const send = (of: string, transaction: string) =>
      portal.call('POST', `/subscriptions/${of}/send`, { transaction });
    const unsigned = String((await portal.call('POST', `/subscriptions/${id}/cancel`)).body['transaction']);
    const signed = await signTransaction(wallet, unsigned);
    for (const [of, transaction] of [
      [id, unsigned],
      [id, 'AAAA'],
      [otherId, signed],
    ] as const)
      expect(codeOf(await send(of, transaction))).toBe('not_our_transaction');
    const sent = await send(id, signed);
    expect(sent).toMatchObject({ status: 201, body: { signature: signatureOf(signed) } });
    expect(await portal.call('POST', `/subscriptions/${id}/cancel/confirm`, sent.body)).toMatchObject({
      body: { subscription: { status: 'cancelled' } },
    });
  });

  // checkout-sessions#customer-of-a-session
  it('of a subscription known by its wallet alone has that one only', async () => {
    const checkout = await world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address });
    await submitCheckout(world, wallet, checkout.body as never);
    const { id } = checkout.body['subscription'] as { readonly id: string };
    await world.publishPlan(world.projectId, 'team');
    await world.call('POST', '/subscriptions', { plan: 'team', wallet: wallet.address });
    const portal = pageOf(world, (await shop().portal.create({ subscription: id })).url);
    expect(await portal.view()).toMatchObject({ customer: { known: false }, plans: [{ slug: 'pro' }] });
    expect(idsOf(await portal.view())).toEqual([id]);
    expect(await portal.act(wallet, id, 'cancel')).toMatchObject({ status: 201 });
  });

  // checkout-sessions#customer-of-a-session
  it('of a subscription with an email alone has that one, and pays for it anew with the email', async () => {
    const email = 'reader@example.test';
    const page = await open({ email });
    await page.pay(await world.wallet(PRICE));
    const id = await (await open({ ask_email: true })).pay(wallet, { email });
    const portal = pageOf(world, (await shop().portal.create({ subscription: id })).url);
    expect(idsOf(await portal.view())).toEqual([id]);
    const other = await portal.pay(await world.wallet(PRICE));
    expect(await storedSubscription(world, other)).toMatchObject({ externalId: null, email });
    expect(idsOf(await portal.view())).toEqual([other, id]);
  });
});

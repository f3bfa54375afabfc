import type { Answer, Chain, ChargeView, Fate, FateAsk } from '@subrail/core';
import {
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';

import { sendWire, signBuilt } from '../../src/world/wallet.js';
import * as checkouts from './checkouts.js';
import { missed, told, type Handed } from './checkouts.js';
import { interfere, type Interference } from './interference.js';
import { expectInvariants } from './invariants.js';
import { DAY, PRICE, openWorld, type World, type WorldOptions } from './world.js';

const MONTH = 30 * DAY;
const MINUTE = 60_000;

let world: World;
let wallet: KeyPairSigner;
let others: Interference;
/** The stopped subscription. */
let old: string;

/** How answers of the chain are bent on their way to the service. */
let bend: {
  readonly view: (view: ChargeView) => ChargeView;
  readonly fate: (fate: Fate, ask: FateAsk) => Fate;
  /** Comes between the intent and the sending of it. */
  readonly beforeSend: () => Promise<void>;
  readonly dropSends: boolean;
};
const STRAIGHT: typeof bend = {
  view: (view) => view,
  fate: (fate) => fate,
  beforeSend: () => Promise.resolve(),
  dropSends: false,
};

function bent(chain: Chain): Chain {
  return {
    ...chain,
    async readCharges(asks, commitment) {
      const answers = await chain.readCharges(asks, commitment);
      return answers.map((answer): Answer<ChargeView> =>
        answer.ok ? { ok: true, value: bend.view(answer.value) } : answer,
      );
    },
    async resolve(asks) {
      const fates = await chain.resolve(asks);
      return asks.map((ask, index) => bend.fate(fates[index] ?? { kind: 'untold' }, ask));
    },
    async send(wires) {
      await bend.beforeSend();
      return bend.dropSends ? wires.map(() => ({ kind: 'unknown' as const })) : chain.send(wires);
    },
  };
}

/** A wallet whose second month was missed, whose retries are out, and whose money is back. */
async function stopped(options: WorldOptions = {}): Promise<void> {
  bend = STRAIGHT;
  world = await openWorld({ store: 'sqlite', chain: bent, ...options });
  wallet = await world.wallet(10n * PRICE);
  others = await interfere(world, wallet);
  old = await missed(world, wallet, 3);
  expect(await read(old)).toMatchObject({ status: 'stopped' });
}

const create = (customer?: string) => checkouts.create(world, wallet, customer);
const handed = (customer?: string) => checkouts.handed(world, wallet, customer);
const submit = (what: Handed) => checkouts.submit(world, wallet, what);
const transaction = (what: Handed) => checkouts.transaction(world, what);
const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;

afterEach(() => world.close());

describe('a wallet whose subscription stopped', () => {
  it('comes back by paying the period in progress alone, on the old grid, with nothing to deposit (D15.2)', async () => {
    await stopped();
    const { current_period_end: boundary } = await read(old);
    const checkout = await handed();
    expect(checkout.costs).toMatchObject({
      rent: { subscription: '0', authority: null, total: '0' },
      fee: { signatures: 2, total: '10000' },
      total: '10000',
    });
    const { status, body } = await submit(checkout);
    expect(status).toBe(201);
    expect(body).toEqual({ subscription: await read(checkout.subscription.id) });
    expect(body['subscription']).toMatchObject({
      status: 'active',
      access: true,
      payment_status: 'paid',
      current_period_start: boundary,
      next_charge_at: new Date(Date.parse(String(boundary)) + MONTH).toISOString(),
    });
    expect(await read(old)).toMatchObject({
      status: 'superseded',
      access: false,
      stop_reason: null,
      late_reason: null,
      closable: false,
    });
    expect((await world.events()).slice(-2)).toEqual(['created', 'access_granted']);
    const created = (await world.storedEvents()).at(-2);
    expect(created).toMatchObject({
      subscriptionId: checkout.subscription.id,
      sequence: 1,
      detail: { previous_id: old, first_payment: { amount: PRICE.toString(), period_start: boundary } },
    });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('is then charged at the boundaries of that grid', async () => {
    await stopped();
    const { subscription } = await handed().then(async (checkout) => {
      await submit(checkout);
      return checkout;
    });
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect(await read(subscription.id)).toMatchObject({ status: 'active', payment_status: 'paid' });
    expect((await world.events()).at(-1)).toBe('renewed');
    const { body } = await world.call('GET', `/subscriptions/${subscription.id}/attempts`);
    expect(body['paid']).toEqual({ count: 2, amount: (2n * PRICE).toString() });
    await expectInvariants(world, [old, subscription.id]);
  });

  it('is one customer to a reader: the list leaves the old one out, access keeps since when they pay (D6.5)', async () => {
    await stopped();
    const checkout = await handed();
    await submit(checkout);
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-1');
    expect(body).toMatchObject({ data: [{ id: checkout.subscription.id }], has_more: false });
    const access = await world.call('GET', '/access?external_id=customer-1&plan=pro');
    expect(access.body).toMatchObject({
      subscription_id: checkout.subscription.id,
      access: true,
      first_subscribed_at: '2026-01-01T00:00:00.000Z',
      subscribed_since: (await read(checkout.subscription.id))['confirmed_at'],
    });
    const cursor = await world.call('GET', `/subscriptions?external_id=customer-1&starting_after=${old}`);
    expect(told(cursor)).toBe('400 invalid_request');
  });

  it('approves again in the same transaction when its approval is gone', async () => {
    await stopped();
    await others.revokeApproval();
    expect((await submit(await handed())).body).toMatchObject({ subscription: { status: 'active' } });
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect((await world.events()).at(-1)).toBe('renewed');
  });

  it('comes back on Free once the deadline passed, and the terms of a plan about to end tell of a single charge', async () => {
    bend = STRAIGHT;
    world = await openWorld({ store: 'sqlite', chain: bent, tier: 'free', endsAfter: 3 * MONTH - DAY });
    wallet = await world.wallet(10n * PRICE);
    others = await interfere(world, wallet);
    old = await missed(world, wallet, 30);
    expect(await read(old)).toMatchObject({ status: 'stopped', stop_reason: 'retry_deadline_passed' });
    world.advance(MINUTE);
    const checkout = await handed();
    expect(checkout.terms.message).toContain('a single charge');
    expect((await submit(checkout)).body).toMatchObject({
      subscription: { status: 'active', next_charge_at: null },
    });
  });

  it('may stop and come back again', async () => {
    await stopped();
    await submit(await handed());
    await world.take(wallet, await world.holding(wallet));
    world.advance(MONTH - 3 * DAY);
    await world.work();
    for (let day = 0; day < 3; day++) {
      world.advance(DAY);
      await world.work();
    }
    await world.give(wallet, PRICE);
    expect((await submit(await handed())).body).toMatchObject({ subscription: { status: 'active' } });
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-1');
    expect(body['data']).toHaveLength(1);
  });
});

describe('a return is refused', () => {
  it('subscription_stopped when the authorisation is closed, or the subscription cancelled on chain', async () => {
    await stopped();
    const early = await handed();
    await others.cancel();
    expect(told(await create())).toBe('409 subscription_stopped');
    expect(told(await submit(early))).toBe('409 subscription_stopped');
    await world.close();
    await stopped();
    const first = await handed();
    await others.closeAuthority();
    expect(told(await create())).toBe('409 subscription_stopped');
    expect(told(await submit(first))).toBe('409 subscription_stopped');
  });

  it("subscription_terms_changed when the subscription on chain has other terms than the plan's", async () => {
    await stopped();
    const first = await handed();
    bend = {
      ...STRAIGHT,
      view: (view) => ({
        ...view,
        subscription: view.subscription === null ? null : { ...view.subscription, amount: PRICE + 1n },
      }),
    };
    expect(told(await create())).toBe('409 subscription_terms_changed');
    expect(told(await submit(first))).toBe('409 subscription_terms_changed');
  });

  it('comeback_landed when the period in progress is paid already', async () => {
    await stopped();
    const first = await handed();
    await others.pullAsOwner();
    expect(told(await create())).toBe('409 comeback_landed');
    expect(told(await transaction(first))).toBe('409 comeback_landed');
    expect(told(await submit(first))).toBe('409 comeback_landed');
  });

  it('comeback_in_flight while an earlier one may still land: one of two that are submitted at once pays', async () => {
    await stopped();
    const mine = await handed('customer-1');
    const theirs = await world.inANewSlot(() => handed('customer-2'));
    const refused: string[] = [];
    bend = {
      ...STRAIGHT,
      async beforeSend() {
        bend = STRAIGHT;
        refused.push(
          told(await submit(theirs)),
          told(await transaction(theirs)),
          told(await create('other')),
        );
      },
    };
    expect((await submit(mine)).body).toMatchObject({ subscription: { status: 'active' } });
    expect(refused).toEqual(['409 comeback_in_flight', '409 comeback_in_flight', '409 comeback_in_flight']);
    expect(told(await submit(theirs))).toBe('409 not_awaiting_signature');
    await expectInvariants(world, [old, mine.subscription.id, theirs.subscription.id]);
  });

  it('comeback_landed once an earlier one has landed, though it is not on record yet', async () => {
    await stopped();
    const mine = await handed();
    bend = { ...STRAIGHT, fate: () => ({ kind: 'untold' }) };
    expect(told(await submit(mine))).toBe('201 nothing_landed');
    expect(told(await create('customer-2'))).toBe('409 comeback_landed');
    bend = STRAIGHT;
    await world.work();
    expect(told(await create('customer-2'))).toBe('409 already_subscribed');
    expect((await submit(mine)).body).toMatchObject({ subscription: { status: 'active' } });
  });

  it.each([
    ['in the last two minutes of a period', -90_000, 120],
    ['in the first half a minute of one', 10_000, 20],
  ])('comeback_period_rolling %s, with the time to wait', async (_, fromBoundary, wait) => {
    await stopped();
    const boundary = Date.parse(String((await read(old))['current_period_end'])) + MONTH;
    world.advance(boundary - 4 * MINUTE - world.now().getTime());
    const first = await handed();
    world.advance(boundary + fromBoundary - world.now().getTime());
    for (const refused of [await create(), await transaction(first)]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'comeback_period_rolling' } });
    }
    expect(told(await submit(first))).toBe('409 transaction_expired');
    world.advance(wait * 1000);
    expect(told(await create())).toBe('201 undefined');
  });

  it('comeback_period_rolling of a submit as well', async () => {
    await stopped();
    const boundary = Date.parse(String((await read(old))['current_period_end'])) + MONTH;
    world.advance(boundary - 2 * MINUTE - 10_000 - world.now().getTime());
    const first = await handed();
    world.advance(15_000);
    expect(told(await submit(first))).toBe('409 comeback_period_rolling');
  });
});

/** A return that landed while the chain cannot tell so: it stays open, and the wallet goes on. */
async function unseenReturn(): Promise<Handed> {
  const checkout = await handed();
  let signature: string | null = null;
  bend = {
    ...STRAIGHT,
    fate(fate, ask) {
      signature ??= ask.signature;
      return ask.signature === signature ? { kind: 'untold' } : fate;
    },
  };
  expect(told(await submit(checkout))).toBe('201 nothing_landed');
  return checkout;
}

async function cancelOld(): Promise<void> {
  const { body } = await world.call('POST', `/subscriptions/${old}/cancel`);
  const signed = await signBuilt(wallet, String(body['transaction']));
  await world.inANewSlot(() => sendWire(world.rpc, signed));
  const signature = getSignatureFromTransaction(
    getTransactionDecoder().decode(getBase64Encoder().encode(signed)),
  );
  const confirmed = await world.call('POST', `/subscriptions/${old}/cancel/confirm`, { signature });
  expect(confirmed.body).toMatchObject({ subscription: { status: 'cancelled' } });
}

describe('a return that is settled late', () => {
  it('whose process died after sending is settled by the sweep', async () => {
    await stopped();
    const checkout = await unseenReturn();
    bend = STRAIGHT;
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'active' });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('that did not land leaves the stopped one to come back over', async () => {
    await stopped();
    const checkout = await handed();
    bend = { ...STRAIGHT, dropSends: true };
    expect(told(await submit(checkout))).toBe('201 nothing_landed');
    world.advance(5 * MINUTE);
    await world.work();
    bend = STRAIGHT;
    expect(told(await submit(checkout))).toBe('201 transaction_expired');
    expect(await read(old)).toMatchObject({ status: 'stopped' });
    const again = await handed();
    expect(again.subscription.id).toBe(checkout.subscription.id);
    expect((await submit(again)).body).toMatchObject({ subscription: { status: 'active' } });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('over one that was cancelled meanwhile is cancelled with it, and keeps its paid period', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await cancelOld();
    bend = STRAIGHT;
    world.advance(MINUTE);
    await world.work();
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'cancelled', access: true });
    expect((await world.events()).slice(-4)).toEqual(['cancelled', 'created', 'cancelled', 'access_granted']);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('earlier_subscription_running: the payment is recorded on the one that runs again, this one fails (D12)', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await cancelOld();
    await others.resume();
    world.advance(MONTH - 3 * DAY);
    await world.work();
    const running = await read(old);
    expect(running).toMatchObject({ status: 'active', payment_status: 'paid' });
    bend = STRAIGHT;
    world.advance(MINUTE);
    await world.work();
    const { body } = await submit(checkout);
    expect(body).toMatchObject({
      subscription: { id: checkout.subscription.id, status: 'failed' },
      reason_code: 'earlier_subscription_running',
    });
    expect(await read(old)).toEqual(running);
    expect((await world.events()).at(-1)).toBe('renewed');
    const attempts = await world.call('GET', `/subscriptions/${old}/attempts`);
    expect(attempts.body['paid']).toEqual({ count: 3, amount: (3n * PRICE).toString() });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });
});

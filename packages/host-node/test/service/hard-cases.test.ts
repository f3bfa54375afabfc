import type { Answer, Chain, ChargeView, Fate, FateAsk, Store, SubscriptionId } from '@subrail/core';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';

import { sendWire, signBuilt, signText } from '../../src/world/wallet.js';
import { signBuiltAnew } from './another-signature.js';
import { storedRow } from './at-once.js';
import * as checkouts from './checkouts.js';
import { missed, told, type Handed } from './checkouts.js';
import { interfere, type Interference } from './interference.js';
import { expectInvariants } from './invariants.js';
import { DAY, HOUR, PRICE, openWorld, type World, type WorldOptions } from './world.js';

const MONTH = 30 * DAY;
const MINUTE = 60_000;
const SEED = new Uint8Array(32).fill(5);

let world: World;
let wallet: KeyPairSigner;
let others: Interference;
let old: string;

let bend: {
  readonly view: (view: ChargeView) => ChargeView;
  readonly fate: (fate: Fate, ask: FateAsk) => Fate;
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

async function begin(options: WorldOptions = {}): Promise<void> {
  bend = STRAIGHT;
  world = await openWorld({ store: 'sqlite', chain: bent, ...options });
  wallet = await world.wallet(10n * PRICE, await createKeyPairSignerFromPrivateKeyBytes(SEED));
  others = await interfere(world, wallet);
}

async function stopped(options: WorldOptions = {}): Promise<void> {
  await begin(options);
  old = await missed(world, wallet, 3);
  expect(await read(old)).toMatchObject({ status: 'stopped' });
}

const create = (customer?: string) => checkouts.create(world, wallet, customer);
const handed = (customer?: string) => checkouts.handed(world, wallet, customer);
const submit = (what: Handed) => checkouts.submit(world, wallet, what);
const transaction = (what: Handed) => checkouts.transaction(world, what);
const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;

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

afterEach(() => world.close());

describe('T1: a return under way, and a fresh transaction asked for meanwhile', () => {
  it.each([
    ['cancelled through the service', () => cancelOld()],
    ['cancelled on chain alone', () => others.cancel()],
  ])('%s: the return is still known to be over the old one', async (_, cancel) => {
    await stopped();
    const checkout = await unseenReturn();
    await cancel();
    expect(told(await transaction(checkout))).toMatch(/^(201|409)/);
    bend = STRAIGHT;
    world.advance(MINUTE);
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'cancelled', access: true });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('authority closed on chain after the payment landed', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await others.closeAuthority();
    await transaction(checkout);
    bend = STRAIGHT;
    world.advance(MINUTE);
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'active', access: true });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
  });
});

describe('T2: a payment known late, of a period before the one that is late now', () => {
  it('does not make the later period paid up', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await cancelOld();
    await others.resume();
    await world.take(wallet, await world.holding(wallet));
    world.advance(MONTH - 3 * DAY);
    await world.work();
    const before = await read(old);
    expect(before).toMatchObject({ status: 'unpaid' });
    bend = STRAIGHT;
    world.advance(MINUTE);
    for (let pass = 0; pass < 5; pass++) {
      await world.billing.worker.charge();
      world.advance(5_000);
    }
    const after = await read(old);
    expect((await read(checkout.subscription.id))['status']).toBe('failed');
    expect({ status: after['status'], n: after['next_retry_number'], at: after['next_retry_at'] }).toEqual({
      status: before['status'],
      n: before['next_retry_number'],
      at: before['next_retry_at'],
    });
  });
});

describe('T3: the bytes of a charge, submitted', () => {
  async function chargeUnderWay() {
    await begin();
    const id = await world.subscribe(wallet);
    world.advance(MONTH);
    bend = { ...STRAIGHT, dropSends: true };
    await world.billing.worker.charge();
    bend = STRAIGHT;
    const [transfer] = await world.store.listTransfers(id as SubscriptionId);
    if (transfer === undefined || transfer.kind !== 'charge') throw new Error('a charge is under way');
    return { id, wire: transfer.wire };
  }
  const give = async (id: string, wire: string) =>
    world.call('POST', `/subscriptions/${id}/submit`, {
      transaction: wire,
      terms_signature: await signText(wallet, 'nothing'),
    });

  it('that landed leave the subscription active (late by a minute)', async () => {
    const { id, wire } = await chargeUnderWay();
    world.advance(40_000);
    await sendWire(world.rpc, wire as never);
    await give(id, wire);
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('that landed raise renewed and not created', async () => {
    const { id, wire } = await chargeUnderWay();
    await sendWire(world.rpc, wire as never);
    await give(id, wire);
    await world.work();
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
    expect(await read(id)).toMatchObject({ confirmed_at: '2026-01-01T00:00:00.000Z' });
  });

  it('that failed leave a late payment and its retries', async () => {
    const { id, wire } = await chargeUnderWay();
    await world.take(wallet, await world.holding(wallet));
    await world.rpc.sendTransaction(wire as never, { encoding: 'base64', skipPreflight: true }).send();
    await give(id, wire);
    await world.work();
    const then = await read(id);
    world.advance(6 * MONTH);
    await world.work();
    const later = await read(id);
    const said = ({ status, access, next_charge_at }: Record<string, unknown>) => ({
      status,
      access,
      next_charge_at,
    });
    expect({
      then: said(then),
      later: said(later),
      wakeAt: (await storedRow(world, id)).wakeAt,
      create: told(await create()),
      events: await world.events(),
    }).toMatchObject({ then: { status: 'unpaid' } });
  });
});

describe('T4: a return seen late, over one that ran again, was paid, and is cancelled', () => {
  it('takes no access that was paid for', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await cancelOld();
    await others.resume();
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect(await read(old)).toMatchObject({ status: 'active', payment_status: 'paid', access: true });
    world.advance(MINUTE);
    await cancelOld();
    expect(await read(old)).toMatchObject({ status: 'cancelled', access: true });
    bend = STRAIGHT;
    world.advance(MINUTE);
    await world.work();
    const { body } = await world.call('GET', '/access?external_id=customer-1&plan=pro');
    expect(body).toMatchObject({ access: true });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });
});

describe('T5: what a wallet’s past costs', () => {
  it('a landing asks the store no more for two hundred expired checkouts than for two', async () => {
    await begin();
    const asked: number[] = [];
    for (const many of [2, 200]) {
      for (let n = 0; n < many; n++) {
        const template = await handed(`stranger-${many}-${n}`);
        const row = await storedRow(world, template.subscription.id);
        await world.store.commit([
          {
            subscription: {
              ...row,
              version: row.version + 1,
              status: 'expired',
              checkoutExpiresAt: null,
              terms: null,
              built: null,
              wakeAt: null,
            },
            attempts: [],
            transfers: [],
            events: [],
            deliveries: [],
            signedTerms: null,
          },
        ]);
        if (n % 50 === 49) world.advance(61_000);
      }
      let calls = 0;
      const counting: Store = new Proxy(world.store, {
        get(store, name, receiver) {
          const value: unknown = Reflect.get(store, name, receiver);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            if (name === 'findOpenTransfer') calls += 1;
            return (value as (...all: unknown[]) => unknown).apply(store, given);
          };
        },
      });
      const host = world.host(counting);
      world.advance(61_000);
      const checkout = await handed('mine-' + String(many));
      await host.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, {
        transaction: await signBuilt(wallet, checkout.transaction),
        terms_signature: await signText(wallet, checkout.terms.message),
      });
      asked.push(calls);
      wallet = await world.wallet(10n * PRICE);
    }
    expect(asked[1]).toBe(asked[0]);
  });
});

describe('T9: the order of a submit’s refusals (D12.9: already_subscribed, seats, comeback codes)', () => {
  it('says seat_cap_reached before comeback_period_rolling', async () => {
    await stopped();
    const boundary = Date.parse(String((await read(old))['current_period_end'])) + MONTH;
    world.advance(boundary - 2 * MINUTE - 10_000 - world.now().getTime());
    const first = await handed();
    const full: Store = new Proxy(world.store, {
      get(store, name) {
        if (name === 'countOtherSeats') return () => Promise.resolve(1_000_000);
        if (name === 'findProject') {
          return async (id: never) => {
            const found = await store.findProject(id);
            return found === null ? null : { ...found, subscriberLimit: 1 };
          };
        }
        const value: unknown = Reflect.get(store, name);
        return typeof value === 'function' ? (value as () => unknown).bind(store) : value;
      },
    });
    const { billing } = world.host(full);
    world.advance(15_000);
    const refusal = await billing.subscriptions
      .submit(world.projectId, first.subscription.id, {
        transaction: await signBuilt(wallet, first.transaction),
        terms_signature: await signText(wallet, first.terms.message),
      })
      .then(
        () => 'taken',
        (cause: unknown) => (cause as { code?: string }).code ?? String(cause),
      );
    expect(refusal).toBe('seat_cap_reached');
  });
});

describe('T10: a checkout that was outrun', () => {
  it('is not revived by asking for a fresh transaction (D12.2)', async () => {
    await begin();
    const theirs = await handed('customer-2');
    bend = { ...STRAIGHT, dropSends: true };
    expect(told(await submit(theirs))).toBe('201 nothing_landed');
    bend = STRAIGHT;
    expect(told(await submit(await handed('customer-1')))).toBe('201 undefined');
    const again = await transaction(theirs);
    await world.work();
    expect({ again: told(again), status: (await read(theirs.subscription.id))['status'] }).toMatchObject({
      status: 'expired',
    });
  });
});

describe('T12: two checkouts of one wallet under way, both looked at in one pass', () => {
  it('the one that landed is settled in that pass', async () => {
    await begin();
    const theirs = await handed('customer-2');
    bend = { ...STRAIGHT, dropSends: true, fate: () => ({ kind: 'waiting' }) };
    expect(told(await submit(theirs))).toBe('201 nothing_landed');
    const mine = await handed('customer-1');
    const [hidden] = await world.store.listTransfers(theirs.subscription.id as SubscriptionId);
    bend = { ...STRAIGHT, fate: () => ({ kind: 'untold' }) };
    expect(told(await submit(mine))).toBe('201 nothing_landed');
    bend = {
      ...STRAIGHT,
      fate: (fate, ask) => (ask.signature === hidden?.signature ? { kind: 'waiting' } : fate),
    };
    world.advance(5_000);
    const began = world.now().getTime();
    await world.billing.worker.charge();
    while ((await read(mine.subscription.id))['status'] === 'pending') {
      world.advance(1000);
      await world.billing.worker.charge();
    }
    // Measured: the lease of the row that lost against its neighbour in its own batch.
    expect(world.now().getTime() - began).toBe(0);
  });
});

describe('T14: a stranger who asks for fresh transactions of a checkout that names the wallet', () => {
  it('cannot hold up the settling of a payment that landed', async () => {
    await begin();
    const stranger = await handed('stranger');
    const disturbed: Store = new Proxy(world.store, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name);
        if (name !== 'commit')
          return typeof value === 'function' ? (value as () => unknown).bind(store) : value;
        return async (changes: Parameters<Store['commit']>[0]) => {
          const settles = changes.some(({ transfers }) => transfers.some(({ state }) => state === 'landed'));
          if (settles) await transaction(stranger);
          return store.commit(changes);
        };
      },
    });
    const mine = await handed('customer-1');
    const answer = await world.host(disturbed).call('POST', `/subscriptions/${mine.subscription.id}/submit`, {
      transaction: await signBuilt(wallet, mine.transaction),
      terms_signature: await signText(wallet, mine.terms.message),
    });
    expect(answer.body).toMatchObject({ subscription: { status: 'active' } });
  });
});

describe('T15: the last two minutes of a plan (D9.5, D25.6)', () => {
  it('take no return', async () => {
    await stopped({ endsAfter: 50 * DAY });
    const ends = Date.parse('2026-01-01T00:00:00.000Z') + 50 * DAY;
    world.advance(ends - 90_000 - world.now().getTime());
    expect(told(await create())).toMatch(/^409 plan_ended/);
  });
});

describe('T16: a clock that is off', () => {
  it.each([-90_000, 90_000])('by %i ms comes back and is charged on the old grid', async (skewMs) => {
    await begin({ skewMs });
    // A host that is behind the chain comes to the boundary a while after it.
    old = await missed(world, wallet, 4);
    expect(await read(old)).toMatchObject({ status: 'stopped' });
    const checkout = await handed();
    expect(told(await submit(checkout))).toBe('201 undefined');
    world.advance(MONTH - 4 * DAY + 2 * Math.abs(skewMs));
    await world.work();
    expect((await world.events()).at(-1)).toBe('renewed');
    await expectInvariants(world, [old, checkout.subscription.id]);
  });
});

describe('T17: a return that landed and was cancelled, and is seen after both are over', () => {
  it('grants no access for no time', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await others.cancel();
    world.advance(MONTH);
    bend = STRAIGHT;
    await world.work();
    const events = (await world.storedEvents()).filter(
      ({ subscriptionId }) => subscriptionId === checkout.subscription.id,
    );
    expect(events.map(({ type }) => type.replace('subscription.', ''))).not.toContain('access_granted');
  });
});

describe('T18: a checkout that landed and failed', () => {
  it('ends the other open checkouts of the wallet as well (D12.2)', async () => {
    await begin({ operatorPlan: true });
    const theirs = await handed('customer-2');
    const mine = await handed('customer-1');
    bend = { ...STRAIGHT, fate: () => ({ kind: 'untold' }) };
    await submit(mine);
    await others.cancel();
    bend = STRAIGHT;
    await world.work();
    expect((await read(mine.subscription.id))['status']).toBe('failed');
    expect((await read(theirs.subscription.id))['status']).toBe('expired');
  });
});

describe('T13: a return paid after its subscription was closed and another made', () => {
  it('is not put on record with a subscription it did not pay for', async () => {
    await stopped();
    const checkout = await unseenReturn();
    await cancelOld();
    world.advance(MONTH);
    await others.closeSubscription();
    for (let look = 0; look < 3; look++) {
      await world.work();
      world.advance(61_000);
    }
    const later = await handed('customer-2');
    expect(told(await submit(later))).toBe('201 undefined');
    bend = STRAIGHT;
    world.advance(MINUTE);
    await world.work();
    const { body } = await world.call('GET', `/subscriptions/${later.subscription.id}/attempts`);
    expect({ paid: body['paid'], first: (await read(checkout.subscription.id))['status'] }).toMatchObject({
      paid: { count: 1 },
    });
  });
});

describe('T21: nine hundred open checkouts of strangers that name the wallet', () => {
  it('are not all written in the commit that settles its payment', async () => {
    await begin();
    const template = await storedRow(world, (await handed('stranger')).subscription.id);
    for (let n = 0; n < 900; n++) {
      const subscription = {
        ...template,
        id: `sub_${String(n).padStart(24, '0')}` as SubscriptionId,
        externalId: `stranger-${n}`,
        version: 1,
      };
      const bare = { attempts: [], transfers: [], events: [], deliveries: [], signedTerms: null };
      await world.store.commit([{ subscription, ...bare }]);
    }
    const mine = await handed('customer-1');
    let written = 0;
    const measuring: Store = new Proxy(world.store, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name);
        if (name === 'commit') {
          return async (changes: Parameters<Store['commit']>[0]) => {
            written = Math.max(written, changes.length);
            return store.commit(changes);
          };
        }
        return typeof value === 'function' ? (value as () => unknown).bind(store) : value;
      },
    });
    await world.host(measuring).call('POST', `/subscriptions/${mine.subscription.id}/submit`, {
      transaction: await signBuilt(wallet, mine.transaction),
      terms_signature: await signText(wallet, mine.terms.message),
    });
    expect(written).toBeLessThan(3);
  });
});

describe('T23: the order of a submit’s refusals (D12.8 before D12.10)', () => {
  it('says transaction_expired before transaction_refused', async () => {
    await begin();
    const first = await handed();
    world.advance(4 * MINUTE);
    await others.remove('receiver');
    expect(told(await submit(first))).toBe('409 transaction_expired');
  });
});

describe('T24: what loses a commit while it is confirmed', () => {
  it('is asked again after a while, not in a tight loop', async () => {
    await begin();
    old = await world.subscribe(wallet);
    const { body } = await world.call('POST', `/subscriptions/${old}/cancel`);
    const signed = await signBuilt(wallet, String(body['transaction']));
    await world.inANewSlot(() => sendWire(world.rpc, signed));
    const signature = getSignatureFromTransaction(
      getTransactionDecoder().decode(getBase64Encoder().encode(signed)),
    );
    let lost = 0;
    const began = world.now().getTime();
    const losing: Store = new Proxy(world.store, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name);
        // A hundred others get on first.
        if (name === 'commit' && lost < 100) {
          return () => {
            lost += 1;
            return Promise.resolve('lost');
          };
        }
        return typeof value === 'function' ? (value as () => unknown).bind(store) : value;
      },
    });
    await world.host(losing).call('POST', `/subscriptions/${old}/cancel/confirm`, { signature });
    const waited = world.now().getTime() - began;
    expect({ lost, waited }).toEqual({ lost, waited: Math.max(1, lost - 1) * 1000 });
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { Chain, ProjectId, SubscriptionId } from '@subrail/core';
import { RecordingSender } from '@subrail/core/testing';
import { getBase58Decoder, getBase64Encoder, getTransactionDecoder } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sendWire, signBuilt, signText } from '../../src/world/wallet.js';
import { interfere } from './interference.js';
import { expectInvariants } from './invariants.js';
import { DAY, PRICE, openWorld, type Call, type World, type WorldOptions } from './world.js';

const MONTH = 30 * DAY;
const AT_ONCE = 50;

type Answer = Awaited<ReturnType<Call>>;

interface Handed {
  readonly subscription: { readonly id: string };
  readonly transaction: string;
  readonly terms: { readonly message: string };
}

/** As many calls as there are at once, none of which waits for another; `call` is told which one it is. */
const atOnce = (call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(index)));

/** What answers differ in: one, when all are the same. */
const distinct = (answers: readonly Answer[], field: (body: Record<string, unknown>) => unknown) =>
  [...new Set(answers.map(({ body }) => JSON.stringify(field(body))))].length;

const codes = (answers: readonly Answer[]) => [
  ...new Set(answers.map(({ status, body }) => `${status} ${String(body['code'] ?? 'ok')}`)),
];

let world: World;
let wallet: KeyPairSigner;
let dropSends = false;
let beforeBuild: () => void = () => undefined;

/** The real chain, from which a send can be made to vanish, and on which something may happen before each build. */
const faulty = (chain: Chain): Chain => ({
  ...chain,
  build(ask) {
    beforeBuild();
    return chain.build(ask);
  },
  send: (wires) =>
    dropSends ? Promise.resolve(wires.map(() => ({ kind: 'unknown' as const }))) : chain.send(wires),
});

async function begin(options: WorldOptions): Promise<void> {
  dropSends = false;
  beforeBuild = () => undefined;
  world = await openWorld({ chain: faulty, sender: new RecordingSender(), ...options });
  await world.billing.endpoints.create(world.projectId, {
    url: 'https://shop.example/hooks',
    types: ['subscription.created', 'subscription.access_granted', 'subscription.cancelled'],
  });
  wallet = await world.wallet(10n * PRICE);
}

const create = (call = world.call, customer = 'customer-1') =>
  call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address, external_id: customer });
const handed = async (answer: Answer | Promise<Answer>) => (await answer).body as unknown as Handed;
const fresh = (id: string) => world.call('POST', `/subscriptions/${id}/transaction`);
const submit = (id: string, body: object, call = world.call) =>
  call('POST', `/subscriptions/${id}/submit`, body);

async function signed({ transaction, terms }: Handed) {
  return {
    transaction: await signBuilt(wallet, transaction),
    terms_signature: await signText(wallet, terms.message),
  };
}

const stored = async (id: string) => {
  const row = await world.store.findSubscription(world.projectId as ProjectId, id as SubscriptionId);
  if (row === null) throw new Error('the subscription is stored');
  return row;
};

/** How much there is of everything a payment leaves behind, over every subscription of the wallet. */
async function counts() {
  const { body } = await world.call('GET', `/subscriptions?wallet=${wallet.address}&limit=100`);
  const ids = (body['data'] as { id: SubscriptionId }[]).map(({ id }) => id);
  await expectInvariants(world, ids);
  const transfers = await Promise.all(ids.map((id) => world.store.listTransfers(id)));
  const attempts = await Promise.all(ids.map((id) => world.call('GET', `/subscriptions/${id}/attempts`)));
  const events = await world.storedEvents();
  const deliveries = await Promise.all(events.map(({ id }) => world.store.listDeliveries(id)));
  return {
    subscriptions: ids.length,
    transfers: transfers.flat().length,
    attempts: attempts.flatMap((answer) => answer.body['data'] as object[]).length,
    events: events.map(({ type }) => type.replace('subscription.', '')),
    deliveries: deliveries.flat().length,
    paid: (await world.holding(world.owner)) / PRICE,
  };
}

const ONE_CHECKOUT = {
  subscriptions: 1,
  transfers: 1,
  attempts: 1,
  events: ['created', 'access_granted'],
  deliveries: 2,
  paid: 1n,
};

describe.each(['memory', 'sqlite'] as const)('fifty identical calls at once, on %s', (store) => {
  beforeEach(() => begin({ store }));
  afterEach(() => world.close());

  it('of create make one subscription, and each hands out the transaction and the terms that can be submitted', async () => {
    const answers = await atOnce(() => create());
    expect(codes(answers)).toEqual(['201 ok']);
    expect(distinct(answers, (body) => [body['subscription'], body['transaction'], body['terms']])).toBe(1);
    const one = await handed(answers[AT_ONCE - 1] as Answer);
    expect((await stored(one.subscription.id)).built?.transaction).toBe(one.transaction);
    expect(await submit(one.subscription.id, await signed(one))).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active' } },
    });
    expect(await counts()).toEqual(ONE_CHECKOUT);
  });

  it('of create while blocks pass: one of those handed out is the one that stands', async () => {
    beforeBuild = () => world.advance(1000);
    const answers = await atOnce(() => create());
    expect(codes(answers)).toEqual(['201 ok']);
    expect(distinct(answers, (body) => [body['subscription'], body['terms']])).toBe(1);
    const { built } = await stored((await handed(answers[0] as Answer)).subscription.id);
    expect(answers.map(({ body }) => body['transaction'])).toContain(built?.transaction);
  });

  it('of create for nobody in particular, and for a customer whose email changes each time', async () => {
    const nobody = await atOnce(() =>
      world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address }),
    );
    expect(codes(nobody)).toEqual(['201 ok']);
    expect(distinct(nobody, (body) => body['subscription'])).toBe(1);
    world.advance(60_000);
    const changing = await atOnce((index) =>
      world.call('POST', '/subscriptions', {
        plan: 'pro',
        wallet: wallet.address,
        external_id: 'customer-1',
        email: `reader-${index}@mail.example`,
      }),
    );
    expect(codes(changing)).toEqual(['201 ok']);
    expect(distinct(changing, (body) => [body['subscription'], body['terms']])).toBe(1);
  });

  it('of transaction hand out one', async () => {
    const { subscription, terms } = await handed(create());
    world.advance(10_000);
    const answers = await atOnce(() => fresh(subscription.id));
    expect(codes(answers)).toEqual(['201 ok']);
    expect(distinct(answers, (body) => [body['transaction'], body['terms']])).toBe(1);
    expect((await handed(answers[0] as Answer)).terms).toEqual(terms);
  });

  it('of submit make one charge, and all tell the settled subscription', async () => {
    const one = await handed(create());
    const body = await signed(one);
    const answers = await atOnce(() => submit(one.subscription.id, body));
    expect(codes(answers)).toEqual(['201 ok']);
    expect(distinct(answers, (answer) => answer)).toBe(1);
    expect(answers[0]?.body).toMatchObject({ subscription: { status: 'active', access: true } });
    expect(answers[0]?.body).not.toHaveProperty('reason_code');
    expect(await counts()).toEqual(ONE_CHECKOUT);
  });

  it('of submit while the worker passes over it make one charge', async () => {
    const one = await handed(create());
    const body = await signed(one);
    const [answers] = await Promise.all([
      atOnce(() => submit(one.subscription.id, body)),
      ...Array.from({ length: 10 }, async () => {
        await world.billing.worker.charge();
        world.advance(2_000);
        await world.billing.worker.charge();
      }),
    ]);
    expect(codes(answers)).toEqual(['201 ok']);
    await world.work();
    expect(await counts()).toEqual(ONE_CHECKOUT);
  });

  it('of submit and of create make one charge, whichever comes first', async () => {
    const one = await handed(create());
    const body = await signed(one);
    const [submits, creates] = await Promise.all([
      atOnce(() => submit(one.subscription.id, body)),
      atOnce(() => create()),
    ]);
    expect(codes(submits)).toEqual(['201 ok']);
    for (const code of codes(creates)) expect(['201 ok', '409 already_subscribed']).toContain(code);
    await world.work();
    expect(await counts()).toEqual(ONE_CHECKOUT);
  });

  it('of two transactions of one checkout: the one built last lands, and only that', async () => {
    const first = await handed(create());
    const firstBody = await signed(first);
    world.advance(1000);
    const last = await handed(fresh(first.subscription.id));
    const lastBody = await signed(last);
    const answers = await atOnce((index) =>
      submit(first.subscription.id, index % 2 === 0 ? firstBody : lastBody),
    );
    expect(codes(answers).toSorted()).toEqual(['201 ok', '400 not_our_transaction']);
    expect(await counts()).toEqual(ONE_CHECKOUT);
  });

  it('of submit of a second transaction, while the first may still land, send nothing (subscription_changed)', async () => {
    const first = await handed(create());
    dropSends = true;
    expect((await submit(first.subscription.id, await signed(first))).body).toMatchObject({
      reason_code: 'nothing_landed',
    });
    const second = await handed(fresh(first.subscription.id));
    const body = await signed(second);
    dropSends = false;
    const refused = await atOnce(() => submit(first.subscription.id, body));
    expect(codes(refused)).toEqual(['409 subscription_changed']);
    expect((await counts()).transfers).toBe(1);
    // Once the first is known never to land, the second is taken.
    world.advance(5_000);
    await world.work();
    expect(await submit(first.subscription.id, body)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active' } },
    });
    expect(await counts()).toEqual({ ...ONE_CHECKOUT, transfers: 2 });
  });

  it('of retry queue one', async () => {
    const id = await world.subscribe(wallet);
    await world.take(wallet, 9n * PRICE);
    world.advance(MONTH);
    await world.work();
    await world.give(wallet, 2n * PRICE);
    const answers = await atOnce(() => world.call('POST', `/subscriptions/${id}/retry`));
    expect(codes(answers)).toEqual(['202 ok']);
    expect(distinct(answers, (body) => body)).toBe(1);
    await world.work();
    const { paid, attempts, events } = await counts();
    expect({ paid, attempts }).toEqual({ paid: 2n, attempts: 3 });
    expect(events.slice(2)).toEqual(['payment_failed', 'renewed']);
  });
});

describe.each(['memory', 'sqlite'] as const)(
  'fifty identical builds and confirmations at once, on %s',
  (store) => {
    type Action = 'cancel' | 'resume' | 'close';

    const buildAll = (id: string, action: Action) =>
      atOnce(() => world.call('POST', `/subscriptions/${id}/${action}`));
    const confirmAll = (id: string, action: Action, signature: string) =>
      atOnce(() => world.call('POST', `/subscriptions/${id}/${action}/confirm`, { signature }));

    /** Fifty builds, one of them signed and sent, fifty confirmations. */
    async function actAtOnce(id: string, action: Action) {
      world.advance(60_000);
      const built = await buildAll(id, action);
      expect(codes(built)).toEqual(['201 ok']);
      expect(distinct(built, (body) => body['transaction'])).toBe(1);
      expect((await stored(id)).built?.transaction).toBe(built[0]?.body['transaction']);
      const wire = await signBuilt(wallet, String(built[0]?.body['transaction']));
      await sendWire(world.rpc, wire);
      const answers = await confirmAll(id, action, signatureOf(wire));
      expect(codes(answers)).toEqual(['201 ok']);
      expect(distinct(answers, (body) => body)).toBe(1);
      expect(answers[0]?.body).not.toHaveProperty('reason_code');
      return answers[0]?.body['subscription'];
    }

    afterEach(() => world.close());

    it('of cancel, of resume, and of close make one change each, with one event', async () => {
      await begin({ store });
      const id = await world.subscribe(wallet);
      expect(await actAtOnce(id, 'cancel')).toMatchObject({ status: 'cancelled' });
      expect(await actAtOnce(id, 'resume')).toMatchObject({ status: 'active' });
      expect(await actAtOnce(id, 'cancel')).toMatchObject({ status: 'cancelled' });
      world.advance(MONTH);
      await world.work();
      expect(await actAtOnce(id, 'close')).toMatchObject({ status: 'ended', end_reason: 'closed' });
      const { events, deliveries, paid } = await counts();
      expect(events.slice(2)).toEqual(['cancelled', 'resumed', 'cancelled', 'access_revoked', 'ended']);
      expect({ deliveries, paid }).toEqual({ deliveries: 4, paid: 1n });
    });

    it('of close, of one that ended with its plan, keep the reason it ended for', async () => {
      await begin({ store, endsAfter: MONTH + DAY });
      const id = await world.subscribe(wallet);
      world.advance(MONTH + 2 * DAY);
      await world.work();
      expect(await actAtOnce(id, 'close')).toMatchObject({ status: 'ended', end_reason: 'plan_ended' });
      const { version, closedAt } = await stored(id);
      expect(closedAt).not.toBeNull();
      await world.call('POST', `/subscriptions/${id}/close/confirm`, { signature: '1'.repeat(88) });
      expect((await stored(id)).version).toBe(version);
    });

    it('of cancel, while the worker sees the cancellation as well, tell each event once', async () => {
      await begin({ store });
      const id = await world.subscribe(wallet);
      const others = await interfere(world, wallet);
      world.advance(MONTH - 1000);
      const built = await handed(world.call('POST', `/subscriptions/${id}/cancel`));
      const signature = signatureOf(await signBuilt(wallet, built.transaction));
      await others.cancel();
      const [answers] = await Promise.all([
        confirmAll(id, 'cancel', signature),
        ...Array.from({ length: 5 }, () => world.billing.worker.charge()),
      ]);
      expect(codes(answers)).toEqual(['201 ok']);
      for (const { body } of answers) {
        expect(body).toMatchObject({ subscription: { status: 'cancelled' } });
        expect(body).not.toHaveProperty('reason_code');
      }
      // Past its boundary it is behind: the access ends with the cancellation.
      expect((await counts()).events.slice(2)).toEqual(['cancelled', 'access_revoked']);
    });
  },
);

describe('two hosts on one SQLite file', () => {
  it('take fifty identical creates and submits at once as one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subrail-at-once-'));
    const path = join(folder, 'subrail.sqlite');
    await begin({ store: 'sqlite', path });
    const second = await openSqliteStore({ path });
    try {
      const another = world.host(second.store);
      const either = (index: number) => (index % 2 === 0 ? world.call : another.call);
      const creates = await atOnce((index) => create(either(index)));
      expect(codes(creates)).toEqual(['201 ok']);
      expect(distinct(creates, (body) => [body['subscription'], body['transaction'], body['terms']])).toBe(1);
      const one = await handed(creates[0] as Answer);
      const body = await signed(one);
      const [submits] = await Promise.all([
        atOnce((index) => submit(one.subscription.id, body, either(index))),
        world.billing.worker.charge(),
        another.billing.worker.charge(),
      ]);
      expect(codes(submits)).toEqual(['201 ok']);
      await world.work();
      expect(await counts()).toEqual(ONE_CHECKOUT);
    } finally {
      await second.close();
      await world.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/** The signature a wire transaction of the wallet's own is known by, base58. */
function signatureOf(wire: string): string {
  const bytes = getTransactionDecoder().decode(getBase64Encoder().encode(wire)).signatures[wallet.address];
  if (bytes === undefined || bytes === null) throw new Error('the wallet signed');
  return getBase58Decoder().decode(bytes);
}

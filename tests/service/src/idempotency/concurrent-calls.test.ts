// Heavy: fifty calls at once of each operation.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { RecordingSender } from '@subrail/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';

import {
  MONTH,
  type IssuedCheckout,
  missSecondMonth,
  signCheckout,
  openTestStore,
  openTestWorld,
  PRICE,
  outcomesPending,
  sendsLost,
  type TestWorld,
  type TestWorldOptions,
  storedSubscription,
  type ApiAnswer,
} from '@subrail/test-world';
import { ONE_CHECKOUT, concurrently, codes, counts, distinct } from './concurrent-calls.js';

let world: TestWorld;
let wallet: KeyPairSigner;

async function begin(options: TestWorldOptions): Promise<void> {
  world = await openTestWorld({ ports: { sender: new RecordingSender() }, ...options });
  await world.billing.project(world.projectId).endpoints.create({
    url: 'https://shop.example/hooks',
    types: ['subscription.created', 'subscription.access_granted', 'subscription.cancelled'],
  });
  wallet = await world.wallet(10n * PRICE);
}

const create = (call = world.call, customer = 'customer-1') =>
  call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address, external_id: customer });
const issue = async (answer: ApiAnswer | Promise<ApiAnswer>) =>
  (await answer).body as unknown as IssuedCheckout;
const fresh = (id: string) => world.call('POST', `/subscriptions/${id}/transaction`);
const submit = (id: string, body: object, call = world.call) =>
  call('POST', `/subscriptions/${id}/submit`, body);

const signed = (checkout: IssuedCheckout) => signCheckout(wallet, checkout);

// checkout#concurrent-calls-and-conflicts, checkout#which-transaction-can-be-submitted
describe('fifty concurrent calls', () => {
  beforeEach(() => begin({ store: 'sqlite' }));

  it('of create answer one transaction, which can be submitted, when blocks pass between them', async () => {
    let blocks = 0;
    world.injectFaults((chain) => ({
      build(request) {
        // Fewer seconds than a call goes on for.
        if (++blocks <= 20) world.advance(1000);
        return chain.build(request);
      },
    }));
    const answers = await concurrently(() => create());
    expect(codes(answers)).toEqual(['201 ok']);
    expect(distinct(answers, (body) => [body['subscription'], body['terms']])).toBe(1);
    const { built } = await storedSubscription(world, (await issue(answers[0] as ApiAnswer)).subscription.id);
    expect(distinct(answers, (body) => body['transaction'])).toBe(1);
    const one = await issue(answers.at(-1) as ApiAnswer);
    expect(built?.transaction).toBe(one.transaction);
    expect(await submit(one.subscription.id, await signed(one))).toMatchObject({ status: 201 });
  });

  it('of two transactions of one checkout settle the last one, and only that', async () => {
    const first = await issue(create());
    const firstBody = await signed(first);
    world.advance(1000);
    const last = await issue(fresh(first.subscription.id));
    const lastBody = await signed(last);
    const answers = await concurrently((index) =>
      submit(first.subscription.id, index % 2 === 0 ? firstBody : lastBody),
    );
    expect(codes(answers).toSorted()).toEqual(['201 ok', '400 not_our_transaction']);
    expect(await counts(world, wallet)).toEqual(ONE_CHECKOUT);
  });

  it('of create make one checkout without a customer, and one for a customer whose email changes', async () => {
    const withoutCustomer = await concurrently(() =>
      world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address }),
    );
    expect(codes(withoutCustomer)).toEqual(['201 ok']);
    expect(distinct(withoutCustomer, (body) => body['subscription'])).toBe(1);
    world.advance(60_000);
    // Each of them writes, so that those which another overtook begin again: fifty would take ten seconds.
    const withNewEmails = await concurrently(
      (index) =>
        world.call('POST', '/subscriptions', {
          plan: 'pro',
          wallet: wallet.address,
          external_id: 'customer-1',
          email: `reader-${index}@mail.example`,
        }),
      10,
    );
    expect(codes(withNewEmails)).toEqual(['201 ok']);
    expect(distinct(withNewEmails, (body) => [body['subscription'], body['terms']])).toBe(1);
  });

  it('of submit make one charge while the worker settles it too', async () => {
    const one = await issue(create());
    const body = await signed(one);
    const [answers] = await Promise.all([
      concurrently(() => submit(one.subscription.id, body)),
      ...Array.from({ length: 10 }, async () => {
        await world.billing.worker.charge();
        world.advance(2_000);
        await world.billing.worker.charge();
      }),
    ]);
    expect(codes(answers)).toEqual(['201 ok']);
    await world.work();
    expect(await counts(world, wallet)).toEqual(ONE_CHECKOUT);
  });

  it('of submit and of create make one charge', async () => {
    const one = await issue(create());
    const body = await signed(one);
    const [submits, creates] = await Promise.all([
      concurrently(() => submit(one.subscription.id, body)),
      concurrently(() => create()),
    ]);
    expect(codes(submits)).toEqual(['201 ok']);
    for (const code of codes(creates)) expect(['201 ok', '409 already_subscribed']).toContain(code);
    await world.work();
    expect(await counts(world, wallet)).toEqual(ONE_CHECKOUT);
  });

  // checkout#one-open-transaction-per-checkout
  it('of submit answer subscription_changed and send nothing while an earlier transaction may still land', async () => {
    const first = await issue(create());
    world.injectFaults(sendsLost, outcomesPending);
    expect((await submit(first.subscription.id, await signed(first))).body).toMatchObject({
      reason_code: 'nothing_landed',
    });
    const second = await issue(fresh(first.subscription.id));
    const body = await signed(second);
    world.clearFaults();
    const refused = await concurrently(() => submit(first.subscription.id, body));
    expect(codes(refused)).toEqual(['409 subscription_changed']);
    expect((await counts(world, wallet)).transfers).toBe(1);
    // Once the first is known never to land, the second is accepted.
    world.advance(5_000);
    await world.work();
    expect(await submit(first.subscription.id, body)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active' } },
    });
    expect(await counts(world, wallet)).toEqual({ ...ONE_CHECKOUT, transfers: 2 });
  });

  it('of retry queue one charge', async () => {
    const id = await world.subscribe(wallet);
    await world.take(wallet, 9n * PRICE);
    world.advance(MONTH);
    await world.work();
    await world.give(wallet, 2n * PRICE);
    const answers = await concurrently(() => world.call('POST', `/subscriptions/${id}/retry`));
    expect(codes(answers)).toEqual(['202 ok']);
    expect(distinct(answers, (body) => body)).toBe(1);
    await world.work();
    const { paid, attempts, events } = await counts(world, wallet);
    expect({ paid, attempts }).toEqual({ paid: 2n, attempts: 3 });
    expect(events.slice(2)).toEqual(['payment_failed', 'renewed']);
  });
});

describe('fifty concurrent comebacks of a stopped wallet', () => {
  let old: string;

  beforeEach(async () => {
    await begin({ store: 'sqlite' });
    old = await missSecondMonth(world, wallet, 3);
    expect(await storedSubscription(world, old)).toMatchObject({ status: 'stopped' });
  });

  const bothPaid = { subscriptions: 2, transfers: 2, paid: 2n };

  // coming-back#concurrent-comebacks
  it('of one customer come back once', async () => {
    const creates = await concurrently(() => create());
    expect(codes(creates)).toEqual(['201 ok']);
    expect(distinct(creates, (body) => [body['subscription'], body['transaction'], body['terms']])).toBe(1);
    const one = await issue(creates[0] as ApiAnswer);
    const body = await signed(one);
    const submits = await concurrently(() => submit(one.subscription.id, body));
    expect(codes(submits)).toEqual(['201 ok']);
    expect(distinct(submits, (answer) => answer)).toBe(1);
    expect(submits[0]?.body).toMatchObject({ subscription: { status: 'active' } });
    expect(await storedSubscription(world, old)).toMatchObject({ status: 'superseded' });
    expect(await counts(world, wallet, [old])).toMatchObject(bothPaid);
  });

  // coming-back#concurrent-comebacks
  it('of two customers pay for one of them, and the other’s checkout expires', async () => {
    const mine = await issue(create());
    world.advance(1000);
    const theirs = await issue(create(world.call, 'customer-2'));
    const bodies = [await signed(mine), await signed(theirs)] as const;
    const answers = await concurrently((index) =>
      index % 2 === 0 ? submit(mine.subscription.id, bodies[0]) : submit(theirs.subscription.id, bodies[1]),
    );
    // Either customer may be first.
    const [landed, ...refused] = codes(answers).toSorted();
    expect(landed).toBe('201 ok');
    for (const code of refused) {
      expect(['409 comeback_in_flight', '409 comeback_landed', '409 not_awaiting_signature']).toContain(code);
    }
    await world.work();
    const statuses = [mine, theirs].map(
      async ({ subscription: { id } }) => (await storedSubscription(world, id)).status,
    );
    expect((await Promise.all(statuses)).toSorted()).toEqual(['active', 'expired']);
    expect(await counts(world, wallet, [old])).toMatchObject({ ...bothPaid, subscriptions: 3 });
  });
});

describe('two hosts on one database', () => {
  it('answer fifty concurrent creates and submits as one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subrail-at-once-'));
    const path = join(folder, 'subrail.sqlite');
    await begin({ store: 'sqlite', path });
    const second = await openTestStore('sqlite', path);
    try {
      const another = world.host(second.store);
      const either = (index: number) => (index % 2 === 0 ? world.call : another.call);
      const creates = await concurrently((index) => create(either(index)));
      expect(codes(creates)).toEqual(['201 ok']);
      expect(distinct(creates, (body) => [body['subscription'], body['transaction'], body['terms']])).toBe(1);
      const one = await issue(creates[0] as ApiAnswer);
      const body = await signed(one);
      const [submits] = await Promise.all([
        concurrently((index) => submit(one.subscription.id, body, either(index))),
        world.billing.worker.charge(),
        another.billing.worker.charge(),
      ]);
      expect(codes(submits)).toEqual(['201 ok']);
      await world.work();
      expect(await counts(world, wallet)).toEqual(ONE_CHECKOUT);
    } finally {
      await second.close();
      await world.close();
      rmSync(folder, { recursive: true });
    }
  });
});

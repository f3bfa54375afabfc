import type { KeyPairSigner } from '@solana/kit';
import { RecordingSender } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';

import { sendTransaction, signTransaction } from '@subrail/localnet';
import {
  MONTH,
  type Action,
  DAY,
  openSubscriber,
  type TestWorld,
  type TestWorldOptions,
  signatureOf,
  storedSubscription,
} from '@subrail/test-world';
import { concurrently, codes, counts, distinct } from './concurrent-calls.js';

let world: TestWorld;
let wallet: KeyPairSigner;

async function begin(options: TestWorldOptions): Promise<string> {
  const subscriber = await openSubscriber('paid', { ports: { sender: new RecordingSender() }, ...options });
  ({ world, wallet } = subscriber);
  await world.billing.project(world.projectId).endpoints.create({
    url: 'https://shop.example/hooks',
    types: ['subscription.cancelled', 'subscription.resumed', 'subscription.ended'],
  });
  return subscriber.id;
}

describe('fifty concurrent builds and confirmations', () => {
  const buildAll = (id: string, action: Action) =>
    concurrently(() => world.call('POST', `/subscriptions/${id}/${action}`));
  const confirmAll = (id: string, action: Action, signature: string) =>
    concurrently(() => world.call('POST', `/subscriptions/${id}/${action}/confirm`, { signature }));

  /** Fifty builds, one of them signed and sent, fifty confirmations. */
  async function actConcurrently(id: string, action: Action) {
    world.advance(60_000);
    const built = await buildAll(id, action);
    expect(codes(built)).toEqual(['201 ok']);
    expect(distinct(built, (body) => body['transaction'])).toBe(1);
    expect((await storedSubscription(world, id)).built?.transaction).toBe(built[0]?.body['transaction']);
    const wire = await signTransaction(wallet, String(built[0]?.body['transaction']));
    await sendTransaction(world.rpc, wire);
    const answers = await confirmAll(id, action, signatureOf(wire));
    expect(codes(answers)).toEqual(['201 ok']);
    expect(distinct(answers, (body) => body)).toBe(1);
    expect(answers[0]?.body).not.toHaveProperty('reason_code');
    return answers[0]?.body['subscription'];
  }

  it('of cancel, resume and close make one change each, with one event', async () => {
    const id = await begin({ store: 'sqlite' });
    expect(await actConcurrently(id, 'cancel')).toMatchObject({ status: 'cancelled' });
    expect(await actConcurrently(id, 'resume')).toMatchObject({ status: 'active' });
    expect(await actConcurrently(id, 'cancel')).toMatchObject({ status: 'cancelled' });
    world.advance(MONTH);
    await world.work();
    expect(await actConcurrently(id, 'close')).toMatchObject({ status: 'ended', end_reason: 'closed' });
    const { events, deliveries, paid } = await counts(world, wallet);
    expect(events.slice(2)).toEqual(['cancelled', 'resumed', 'cancelled', 'access_revoked', 'ended']);
    expect({ deliveries, paid }).toEqual({ deliveries: 4, paid: 1n });
  });

  // cancel-resume-close#end-reason-after-closing
  it('of close keep the end reason of a subscription that ended with its plan', async () => {
    const id = await begin({ store: 'sqlite', endsAfter: MONTH + DAY });
    world.advance(MONTH + 2 * DAY);
    await world.work();
    expect(await actConcurrently(id, 'close')).toMatchObject({ status: 'ended', end_reason: 'plan_ended' });
    const { version, closedAt } = await storedSubscription(world, id);
    expect(closedAt).not.toBeNull();
    await world.call('POST', `/subscriptions/${id}/close/confirm`, { signature: '1'.repeat(88) });
    expect((await storedSubscription(world, id)).version).toBe(version);
  });

  it('of cancel raise each event once while the worker reads the cancellation too', async () => {
    const id = await begin({ store: 'sqlite' });
    const outside = await world.outside(wallet);
    world.advance(MONTH - 1000);
    const { body: built } = await world.call('POST', `/subscriptions/${id}/cancel`);
    const signature = signatureOf(await signTransaction(wallet, String(built['transaction'])));
    await outside.cancel();
    const [answers] = await Promise.all([
      confirmAll(id, 'cancel', signature),
      ...Array.from({ length: 5 }, () => world.billing.worker.charge()),
    ]);
    expect(codes(answers)).toEqual(['201 ok']);
    for (const { body } of answers) {
      expect(body).toMatchObject({ subscription: { status: 'cancelled' } });
      expect(body).not.toHaveProperty('reason_code');
    }
    // Past its boundary it is unpaid, so the access ends with the cancellation.
    expect((await counts(world, wallet)).events.slice(2)).toEqual(['cancelled', 'access_revoked']);
  });
});

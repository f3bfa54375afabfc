import { isServiceError } from '@subrail/core';
import { describe, expect, it } from 'vitest';

import {
  DAY,
  openSubscriber,
  PRICE,
  sendsLost,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;

describe('the detail of a subscription', () => {
  // management#subscription-detail
  it('has everything of it in one answer: attempts, events, transfers and deliveries, newest first', async () => {
    const opened = await openSubscriber('paid', { periodHours: 24 });
    ({ world } = opened);
    const shop = world.billing.project(world.projectId);
    const { id: endpoint } = await shop.endpoints.create({
      url: 'https://example.com/hooks',
      types: ['subscription.renewed'],
    });
    for (let day = 0; day < 22; day++) {
      world.advance(DAY);
      await world.work();
      if (day === 8) await world.give(opened.wallet, 20n * PRICE);
    }
    const detail = await shop.subscriptions.detail(opened.id);
    const stored = await storedSubscription(world, opened.id);

    expect(detail.subscription).toEqual(await shop.subscriptions.retrieve(opened.id));
    expect(detail.attempts).toEqual(await shop.subscriptions.attempts(opened.id, { limit: 20 }));
    expect(detail.attempts.has_more).toBe(true);
    const events = await shop.events.list({ subscription: opened.id, limit: 20 });
    expect(detail.events).toEqual({ data: events.data, has_more: true });
    const deliveries = await shop.deliveries.list({ endpoint, limit: 20 });
    expect(detail.deliveries).toEqual(deliveries);
    expect(detail.transfers.data).toHaveLength(20);
    expect(detail.transfers.has_more).toBe(true);
    const [newest] = detail.transfers.data;
    const [attempt] = detail.attempts.data;
    expect(newest).toMatchObject({
      kind: 'charge',
      trigger: 'schedule',
      state: 'landed',
      signature: attempt?.signature,
      period_start: attempt?.period_start,
      amount: attempt?.amount,
      reason_code: null,
    });
    expect(BigInt(newest?.fee_lamports ?? 0)).toBeGreaterThan(0n);
    expect(JSON.stringify(detail)).not.toContain('"wire"');
    expect(detail.internals).toMatchObject({
      address: stored.address,
      version: stored.version,
      wake_at: stored.wakeAt?.toISOString(),
      next_try_at: stored.nextTryAt?.toISOString(),
      last_sequence: stored.lastSequence,
      terms_signed: true,
      held_events: 0,
      open_transfer: null,
      previous_id: null,
    });
    expect(detail.plan).toMatchObject({ slug: 'pro', mint: world.token.mint, decimals: 6, period_hours: 24 });
  });

  it('has the transfer whose outcome is not known yet', async () => {
    const opened = await openSubscriber('paid');
    ({ world } = opened);
    world.injectFaults(sendsLost);
    world.advance(30 * DAY);
    await world.billing.worker.charge();
    const { internals, transfers } = await world.billing
      .project(world.projectId)
      .subscriptions.detail(opened.id);
    expect(internals.open_transfer).toEqual(transfers.data[0]);
    expect(internals.open_transfer).toMatchObject({ kind: 'charge', state: 'open', fee_lamports: null });
  });

  it('is refused for a subscription that the project does not have', async () => {
    const opened = await openSubscriber('late');
    ({ world } = opened);
    const elsewhere = await world.billing.projects.create({ name: 'Elsewhere' });
    for (const [project, id] of [
      [world.projectId, 'sub_unknown'],
      [elsewhere.id, opened.id],
    ] as const) {
      const refused = await world.billing
        .project(project)
        .subscriptions.detail(id)
        .catch((error: unknown) => error);
      expect(isServiceError(refused, 'subscription_not_found')).toBe(true);
    }
  });
});

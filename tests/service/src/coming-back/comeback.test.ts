import { describe, expect, it } from 'vitest';

import { MONTH, MINUTE, openCustomer, actionsOf, DAY, PRICE, statusAndCode } from '@subrail/test-world';
import { openStopped } from './stopped-customer.js';
import { expectInvariants } from '../invariants/expect-invariants.js';

describe('a wallet whose subscription stopped', () => {
  // coming-back#comeback-pays-the-current-period, coming-back#comeback-keeps-the-grid, coming-back#superseded-by-a-comeback
  it('comes back by paying the period in progress, on the old grid, without a deposit', async () => {
    const { world, old, issue, submit, read } = await openStopped();
    const { current_period_end: boundary } = await read(old);
    const checkout = await issue();
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

  // coming-back#comeback-keeps-the-grid
  it('is charged at the boundaries of the old grid afterwards', async () => {
    const { world, old, issue, submit, read } = await openStopped();
    const checkout = await issue();
    const { subscription } = checkout;
    await submit(checkout);
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect(await read(subscription.id)).toMatchObject({ status: 'active', payment_status: 'paid' });
    expect((await world.events()).at(-1)).toBe('renewed');
    const { body } = await world.call('GET', `/subscriptions/${subscription.id}/attempts`);
    expect(body['paid']).toEqual({ count: 2, amount: (2n * PRICE).toString() });
    await expectInvariants(world, [old, subscription.id]);
  });

  // access#subscribed-since, lists#expired-and-superseded-subscriptions, coming-back#superseded-by-a-comeback
  it("is listed without its old subscription after the comeback, and access keeps the first payment's date", async () => {
    const { world, old, issue, submit, read } = await openStopped();
    const checkout = await issue();
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
    expect(statusAndCode(cursor)).toBe('400 invalid_request');
  });

  it('approves again in the same transaction when its approval is gone', async () => {
    const { world, outside, issue, submit } = await openStopped();
    await outside.revokeApproval();
    expect((await submit(await issue())).body).toMatchObject({ subscription: { status: 'active' } });
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect((await world.events()).at(-1)).toBe('renewed');
  });

  // terms#terms-of-a-single-charge
  it("comes back on Free once the deadline passed, and near a plan's end the terms state a single charge", async () => {
    const { world, old, issue, submit, read } = await openStopped({
      tier: 'free',
      endsAfter: 3 * MONTH - DAY,
      days: 30,
    });
    expect(await read(old)).toMatchObject({ stop_reason: 'retry_deadline_passed' });
    world.advance(MINUTE);
    const checkout = await issue();
    expect(checkout.terms.message).toContain('a single charge');
    expect((await submit(checkout)).body).toMatchObject({
      subscription: { status: 'active', next_charge_at: null },
    });
  });

  // lists#attempts-of-one-subscription
  it('has its own attempts, and the earlier subscription keeps its own', async () => {
    const { world, old, issue, submit } = await openStopped();
    const attemptsOf = async (id: string) => {
      const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
      return (body['data'] as { id: string }[]).map((attempt) => attempt.id);
    };
    const before = await attemptsOf(old);
    const checkout = await issue();
    await submit(checkout);
    expect(await attemptsOf(old)).toEqual(before);
    const own = await attemptsOf(checkout.subscription.id);
    expect(own).toHaveLength(1);
    expect(before).not.toContain(own[0]);
  });

  it('can stop and come back again', async () => {
    const { world, wallet, issue, submit } = await openStopped();
    await submit(await issue());
    await world.take(wallet, await world.holding(wallet));
    world.advance(MONTH - 3 * DAY);
    await world.work();
    for (let day = 0; day < 3; day++) {
      world.advance(DAY);
      await world.work();
    }
    await world.give(wallet, PRICE);
    expect((await submit(await issue())).body).toMatchObject({ subscription: { status: 'active' } });
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-1');
    expect(body['data']).toHaveLength(1);
  });

  // billing-periods#chain-clock-decides-due
  it.each([-90_000, 90_000])(
    'comes back and is charged on the old grid with a clock that is %i ms ahead of the chain’s',
    async (skewMs) => {
      // A host whose clock is behind the chain's reaches the boundary later.
      const { world, old, issue, submit } = await openStopped({ skewMs, days: 4 });
      const checkout = await issue();
      expect(statusAndCode(await submit(checkout))).toBe('201');
      world.advance(MONTH - 4 * DAY + 2 * Math.abs(skewMs));
      await world.work();
      expect((await world.events()).at(-1)).toBe('renewed');
      await expectInvariants(world, [old, checkout.subscription.id]);
    },
  );
});

// coming-back#ended-stays-ended
it('a customer whose subscription ended makes a new subscription, and the ended one stays ended', async () => {
  const { world, wallet, issue, submit, read } = await openCustomer();
  const old = await world.subscribe(wallet);
  const { act } = actionsOf(world, wallet, old);
  await act('cancel');
  world.advance(MONTH);
  await world.work();
  await act('close');
  expect(await read(old)).toMatchObject({ status: 'ended', end_reason: 'closed' });
  const checkout = await issue();
  expect((await submit(checkout)).body).toMatchObject({ subscription: { status: 'active' } });
  expect(await read(old)).toMatchObject({ status: 'ended', end_reason: 'closed', access: false });
});

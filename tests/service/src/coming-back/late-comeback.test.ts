import { describe, expect, it } from 'vitest';

import { MONTH, MINUTE, DAY, outcomesPending, PRICE, sendsLost, statusAndCode } from '@subrail/test-world';
import { openStopped } from './stopped-customer.js';
import { expectInvariants } from '../invariants/expect-invariants.js';

type Stopped = Awaited<ReturnType<typeof openStopped>>;

describe('a comeback that is settled late', () => {
  it('is settled by the sweep when the process died after sending', async () => {
    const { world, old, read, unsettledComeback } = await openStopped();
    const checkout = await unsettledComeback();
    world.clearFaults();
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'active' });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('leaves the earlier subscription stopped, and another comeback possible, when it did not land', async () => {
    const { world, old, issue, submit, read } = await openStopped();
    const checkout = await issue();
    world.injectFaults(sendsLost, outcomesPending);
    expect(statusAndCode(await submit(checkout))).toBe('201 nothing_landed');
    world.injectFaults(sendsLost);
    world.advance(5 * MINUTE);
    await world.work();
    world.clearFaults();
    expect(statusAndCode(await submit(checkout))).toBe('201 transaction_expired');
    expect(await read(old)).toMatchObject({ status: 'stopped' });
    const again = await issue();
    expect(again.subscription.id).toBe(checkout.subscription.id);
    expect((await submit(again)).body).toMatchObject({ subscription: { status: 'active' } });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('is cancelled with the earlier subscription, and keeps its paid period', async () => {
    const { world, old, read, unsettledComeback, cancelOld } = await openStopped();
    const checkout = await unsettledComeback();
    await cancelOld();
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'cancelled', access: true });
    expect((await world.events()).slice(-4)).toEqual(['cancelled', 'created', 'cancelled', 'access_granted']);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  // coming-back#earlier-subscription-runs-again
  it('fails with earlier_subscription_running, and its payment is recorded on the one that runs again', async () => {
    const { world, outside, old, submit, read, unsettledComeback, cancelOld } = await openStopped();
    const checkout = await unsettledComeback();
    await cancelOld();
    await outside.resume();
    world.advance(MONTH - 3 * DAY);
    await world.work();
    const running = await read(old);
    expect(running).toMatchObject({ status: 'active', payment_status: 'paid' });
    world.clearFaults();
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

  // retries#first-rejected-charge, coming-back#earlier-subscription-runs-again
  it('leaves the earlier one late, with its retries, when it paid an earlier period', async () => {
    const { world, wallet, outside, old, read, unsettledComeback, cancelOld } = await openStopped();
    const checkout = await unsettledComeback();
    await cancelOld();
    await outside.resume();
    await world.take(wallet, await world.holding(wallet));
    world.advance(MONTH - 3 * DAY);
    await world.work();
    const before = await read(old);
    expect(before).toMatchObject({ status: 'unpaid' });
    world.clearFaults();
    world.advance(MINUTE);
    for (let pass = 0; pass < 5; pass++) {
      await world.billing.worker.charge();
      world.advance(5_000);
    }
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'failed' });
    const { status, next_retry_number, next_retry_at } = before;
    expect(await read(old)).toMatchObject({ status, next_retry_number, next_retry_at });
  });

  // cancel-resume-close#cancel-while-paid-up, coming-back#earlier-subscription-runs-again
  it('takes no paid access from an earlier one that ran again, was paid, and is cancelled', async () => {
    const { world, outside, old, read, unsettledComeback, cancelOld } = await openStopped();
    const checkout = await unsettledComeback();
    await cancelOld();
    await outside.resume();
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect(await read(old)).toMatchObject({ status: 'active', payment_status: 'paid', access: true });
    world.advance(MINUTE);
    await cancelOld();
    expect(await read(old)).toMatchObject({ status: 'cancelled', access: true });
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    const { body } = await world.call('GET', '/access?external_id=customer-1&plan=pro');
    expect(body).toMatchObject({ access: true });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  // invariants#landed-transfers-match-paid-attempts
  it('is not recorded on the subscription made after the earlier one was closed', async () => {
    const { world, outside, issue, submit, unsettledComeback, cancelOld } = await openStopped();
    await unsettledComeback();
    await cancelOld();
    world.advance(MONTH);
    await outside.closeSubscription();
    for (let pass = 0; pass < 3; pass++) {
      await world.work();
      world.advance(61_000);
    }
    const later = await issue('customer-2');
    expect(statusAndCode(await submit(later))).toBe('201');
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    const { body } = await world.call('GET', `/subscriptions/${later.subscription.id}/attempts`);
    expect(body).toMatchObject({ paid: { count: 1 } });
  });

  // invariants#access-events-alternate
  it('grants no access when it was cancelled and its paid period is over before it is settled', async () => {
    const { world, outside, unsettledComeback } = await openStopped();
    const checkout = await unsettledComeback();
    await outside.cancel();
    world.advance(MONTH);
    world.clearFaults();
    await world.work();
    const events = (await world.storedEvents()).filter(
      ({ subscriptionId }) => subscriptionId === checkout.subscription.id,
    );
    expect(events.map(({ type }) => type.replace('subscription.', ''))).not.toContain('access_granted');
  });
});

// checkout#repeated-create-is-idempotent
describe('a comeback that is settled late, after a fresh transaction was requested', () => {
  it.each([
    ['through the service', (stopped: Stopped) => stopped.cancelOld()],
    ['on chain alone', ({ outside }: Stopped) => outside.cancel()],
  ])('is recognised by what it paid for when the earlier one was cancelled %s', async (_, cancel) => {
    const stopped = await openStopped();
    const { world, old, transaction, read, unsettledComeback } = stopped;
    const checkout = await unsettledComeback();
    await cancel(stopped);
    expect(statusAndCode(await transaction(checkout))).toMatch(/^(201|409)/);
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'cancelled', access: true });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('is recognised by what it paid for when its authorisation was closed since', async () => {
    const { world, outside, old, transaction, read, unsettledComeback } = await openStopped();
    const checkout = await unsettledComeback();
    await outside.closeAuthority();
    await transaction(checkout);
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'active', access: true });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
  });
});

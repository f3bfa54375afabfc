import { describe, expect, it } from 'vitest';

import { DAY, PRICE, sendsLost, statusAndCode } from '@subrail/test-world';
import { openStopped } from '../customers/customer.js';
import { expectInvariants } from '../invariants/expect-invariants.js';

const MONTH = 30 * DAY;
const MINUTE = 60_000;

type Stopped = Awaited<ReturnType<typeof openStopped>>;

describe('a return that is settled late', () => {
  it('whose process died after sending is settled by the sweep', async () => {
    const { world, old, read, unsettledComeback } = await openStopped();
    const checkout = await unsettledComeback();
    world.clearFaults();
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'active' });
    expect(await read(old)).toMatchObject({ status: 'superseded' });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('that did not land leaves the stopped one to come back over', async () => {
    const { world, old, issue, submit, read } = await openStopped();
    const checkout = await issue();
    world.injectFaults(sendsLost);
    expect(statusAndCode(await submit(checkout))).toBe('201 nothing_landed');
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

  it('over one that was cancelled meanwhile is cancelled with it, and keeps its paid period', async () => {
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

  it('earlier_subscription_running: the payment is recorded on the one that runs again, this one fails (checkout#order-of-create-refusals)', async () => {
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

  it('for a period before the one that is late now leaves that one late, and its retries as they were (retries#first-rejected-charge)', async () => {
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

  it('over one that ran again, was paid, and is cancelled takes no access that was paid for (cancel-resume-close#cancel-while-paid-up)', async () => {
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

  it('over one that was closed since is not put on record with the subscription made after it (invariants#landed-transfers-match-paid-attempts)', async () => {
    const { world, outside, issue, submit, unsettledComeback, cancelOld } = await openStopped();
    await unsettledComeback();
    await cancelOld();
    world.advance(MONTH);
    await outside.closeSubscription();
    for (let look = 0; look < 3; look++) {
      await world.work();
      world.advance(61_000);
    }
    const later = await issue('customer-2');
    expect(statusAndCode(await submit(later))).toBe('201 undefined');
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    const { body } = await world.call('GET', `/subscriptions/${later.subscription.id}/attempts`);
    expect(body).toMatchObject({ paid: { count: 1 } });
  });

  it('and was cancelled, and is seen after both are over, grants no access for no time (invariants#access-events-alternate)', async () => {
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

describe('a return that is settled late, though a fresh transaction was asked for meanwhile (checkout#repeated-create-is-idempotent)', () => {
  it.each([
    ['through the service', (stopped: Stopped) => stopped.cancelOld()],
    ['on chain alone', ({ outside }: Stopped) => outside.cancel()],
  ])('over one that was cancelled %s is known by what it paid for', async (_, cancel) => {
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

  it('whose authorisation was closed since is known by what it paid for', async () => {
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

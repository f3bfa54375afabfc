// Heavy: each test has its own service, and most move time past a deadline of the checks.

import type { KeyPairSigner } from '@solana/kit';
import { aCommit } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';
import {
  MINUTE,
  MONTH,
  attemptReasons,
  DAY,
  HOUR,
  issueCheckout,
  openSubscriber,
  type OutsideActions,
  PRICE,
  statusAndCode,
  storedSubscription,
  submitCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;

/** A customer who has paid the first month, and the plan's owner, who acts without the service. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id, outside } = await openSubscriber('paid', options));
}

async function pass(ms: number): Promise<void> {
  world.advance(ms);
  await world.work();
}

const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;
const readPlan = async () => (await world.call('GET', '/plans/pro')).body;
const listed = async () => (await world.call('GET', '/plans')).body['plans'];
const findings = async () =>
  (await world.billing.project(world.projectId).doctor.examine()).findings.map(({ check }) => check);
const inDays = (days: number) => new Date(world.now().getTime() + days * DAY);

describe('what the owner of a plan changes on chain shows within ten minutes', () => {
  // plans#plan-read-again, plans#plan-changes-in-reads
  it('an end that was set, in the plan and in the dates of its subscriptions', async () => {
    await begin();
    await outside.endAt(inDays(40));
    const end = world.chainTime(world.now()).getTime() + 40 * DAY;
    await pass(10 * MINUTE);
    const { ends_at } = await readPlan();
    expect(Math.abs(new Date(String(ends_at)).getTime() - end)).toBeLessThan(5_000);
    expect(await readPlan()).toMatchObject({ status: 'active', available: true });
    await pass(MONTH);
    // The month in progress is the last one.
    expect(await read()).toMatchObject({ next_charge_at: null, access_until: ends_at, access: true });
  });

  // plans#plan-changes-in-reads
  it('a sunset', async () => {
    await begin({ endsAfter: 2 * MONTH });
    await outside.sunset();
    await pass(10 * MINUTE);
    expect(await readPlan()).toMatchObject({ status: 'sunset', available: false });
    expect(await read()).toMatchObject({ status: 'active', access: true });
  });

  // plans#plan-availability
  it('a charger that was taken off, and listed again', async () => {
    await begin();
    await outside.removeCharger();
    await pass(10 * MINUTE);
    expect(await readPlan()).toMatchObject({ status: 'active', available: false });
    expect(
      world.log.entries.filter(({ message }) => message.includes('no longer lists the charger')),
    ).toHaveLength(1);
    await outside.addCharger();
    await pass(10 * MINUTE);
    expect(await readPlan()).toMatchObject({ status: 'active', available: true });
  });

  // plans#plan-changes-in-reads, attempts#gone-needs-two-reads
  it('a deletion: the plan is not listed any more, and its subscriptions end as plan_removed', async () => {
    await begin({ endsAfter: MONTH + DAY });
    // Neither a parked subscription nor one read before the end was known has a date at the plan's end.
    world.advance(MONTH + DAY + 5_000);
    await outside.deletePlan();
    await world.work();
    expect(await readPlan()).toMatchObject({ available: false });
    await pass(MINUTE);
    expect(await readPlan()).toMatchObject({ code: 'plan_not_found' });
    expect(await listed()).toEqual([]);
    await pass(MINUTE);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_removed', access: false });
  });

  // plans#plan-changes-in-reads
  it('another plan at its address: it is not listed any more, and its subscriptions end as plan_replaced', async () => {
    await begin({ endsAfter: MONTH + DAY });
    world.advance(MONTH + DAY + 5_000);
    await outside.deletePlan();
    await outside.recreatePlan();
    await world.work();
    expect(await listed()).toEqual([]);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_replaced' });
  });
});

describe('an end that was moved forward on chain', () => {
  // plans#plan-end-within-minutes
  it('is acted on when the service was down while it passed', async () => {
    await begin({ periodHours: 24, endsAfter: 300 * DAY });
    await outside.endAt(inDays(2));
    world.advance(20 * DAY);
    await world.work();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_ended', access: false });
    expect((await world.events()).slice(-2)).toEqual(['access_revoked', 'ended']);
  });

  // plans#plan-end-within-minutes
  it('ends a subscription once, though it is due again with a read of the chain, as one that was woken while it ended', async () => {
    await begin({ periodHours: 24, endsAfter: 300 * DAY });
    await outside.endAt(inDays(2));
    await pass(20 * DAY);
    const ended = await storedSubscription(world, id);
    const events = await world.events();
    await pass(MINUTE);
    const due = { wakeAt: world.now(), nextCheckAt: world.now(), version: ended.version + 1 };
    expect(await world.store.commit([aCommit({ ...ended, ...due })])).toBe('committed');
    await pass(MINUTE);
    expect(await world.events()).toEqual(events);
    expect(await storedSubscription(world, id)).toMatchObject({ wakeAt: null, nextCheckAt: null });
  });

  // plans#plan-end-within-minutes, retries#plan-end-before-the-deadline
  it('is the retry deadline of a late subscription on Free, and ends it', async () => {
    await begin({ tier: 'free' });
    await world.take(wallet, 9n * PRICE);
    await pass(MONTH);
    await outside.endAt(new Date(inDays(30).getTime() - HOUR + 2 * HOUR));
    expect(await read()).toMatchObject({ status: 'unpaid', access: false });
    await pass(10 * MINUTE);
    const { endsAt } = await world.plan('pro');
    const { retry_deadline } = await read();
    expect(new Date(String(retry_deadline)).getTime()).toBeLessThanOrEqual(Number(endsAt));
  });

  // plans#plan-read-again
  it('is followed by the charge that reads it, before the plan is read for itself', async () => {
    await begin();
    await pass(MONTH - 5 * MINUTE);
    await outside.endAt(inDays(31));
    await pass(5 * MINUTE);
    const { ends_at } = await readPlan();
    expect(ends_at).not.toBeNull();
    expect(await read()).toMatchObject({ access: true });
  });
});

describe('the terms of a checkout', () => {
  // terms#terms-of-a-plan-end
  it('name the end that the chain shows, also before the record follows', async () => {
    await begin();
    await outside.endAt(inDays(100));
    const { terms } = await issueCheckout(world, await world.wallet(10n * PRICE), 'customer-2');
    expect(terms.message).toContain('or the plan ends on ');
  });

  // terms#terms-changed-before-submit
  it('are refused as terms_changed when the end was moved forward after they were issued', async () => {
    await begin({ endsAfter: 300 * DAY });
    const other = await world.wallet(10n * PRICE);
    const checkout = await issueCheckout(world, other, 'customer-2');
    await outside.endAt(inDays(100));
    expect(statusAndCode(await submitCheckout(world, other, checkout))).toBe('409 terms_changed');
  });
});

describe('what a wallet does on chain by itself is noticed within a day', () => {
  // plans#daily-read-of-subscriptions, invariants#no-charge-out-of-turn
  it('and nothing is charged or retried by that read', async () => {
    await begin();
    await world.take(wallet, 9n * PRICE);
    await pass(MONTH);
    const before = await storedSubscription(world, id);
    await world.give(wallet, 9n * PRICE);
    for (let hour = 0; hour < 23; hour++) await pass(HOUR);
    const after = await storedSubscription(world, id);
    expect(await attemptReasons(world, id)).toEqual(['paid', 'insufficient_balance']);
    expect(after).toMatchObject({ status: 'unpaid', nextTryAt: before.nextTryAt, late: before.late });
    expect(after.nextCheckAt).not.toEqual(before.nextCheckAt);
  });

  // plans#daily-read-of-subscriptions
  it('also when the chain did not answer at the time of the read', async () => {
    await begin({ periodHours: 24 * 300 });
    await outside.cancel();
    world.injectFaults(() => ({
      readCharges: async (targets) =>
        targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } }) as const),
    }));
    await pass(DAY);
    expect(await read()).toMatchObject({ status: 'active', blocked_reason: null });
    world.clearFaults();
    // The read was overdue by most of a day, so it is repeated after the longest wait.
    await pass(HOUR + MINUTE);
    expect(await read()).toMatchObject({ status: 'cancelled' });
  });
});

// cancel-resume-close#resumed-while-behind, invariants#only-rejections-spend-retries
describe('a wallet without money that cancels and resumes on chain', () => {
  it('gets no further retry and no further access, however often it does so', async () => {
    await begin();
    await world.take(wallet, 9n * PRICE);
    await pass(MONTH);
    const { access_until: until } = await read();
    for (let round = 0; round < 4; round++) {
      await outside.cancel();
      await pass(DAY);
      expect(await read()).toMatchObject({ access: false });
      await outside.resume();
      await pass(DAY);
      if (world.now() >= new Date(String(until))) expect(await read()).toMatchObject({ access: false });
    }
    expect(await read()).toMatchObject({ status: 'stopped', stop_reason: 'out_of_retries', access: false });
    const rejected = Array.from({ length: 4 }, () => 'insufficient_balance');
    expect(await attemptReasons(world, id)).toEqual(['paid', ...rejected]);
  });

  // management#doctor
  it('is charged at once when it had stopped, with retries anew and no access, as the doctor expects', async () => {
    await begin();
    await world.take(wallet, 9n * PRICE);
    await pass(MONTH);
    for (let day = 0; day < 3; day++) await pass(DAY);
    expect(await read()).toMatchObject({ status: 'stopped' });
    await outside.cancel();
    await world.call('POST', `/subscriptions/${id}/cancel`);
    await outside.resume();
    await pass(DAY);
    expect(await read()).toMatchObject({ status: 'unpaid', next_retry_number: 2, access: false });
    expect(await findings()).toEqual([]);
    await pass(DAY);
    expect(await read()).toMatchObject({ status: 'unpaid', next_retry_number: 3, access: false });
    expect(await findings()).toEqual([]);
  });
});

describe('a subscription that was taken for gone while it runs on chain', () => {
  /** Every read of accounts finds the subscription gone, as one of another chain does. */
  async function endAsGone(): Promise<void> {
    world.injectFaults((chain) => ({
      readCharges: async (targets, commitment) =>
        (await chain.readCharges(targets, commitment)).map((answer) =>
          answer.ok ? { ok: true, value: { ...answer.value, subscription: null } } : answer,
        ),
    }));
    await pass(DAY);
    await pass(MINUTE);
    world.clearFaults();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'closed_elsewhere', access: false });
  }

  // cancel-resume-close#reinstated-after-closed-elsewhere
  it.each(['cancel', 'resume', 'close'])('is reinstated by a confirm of %s', async (action) => {
    await begin();
    await endAsGone();
    const signature = '1'.repeat(64);
    await world.call('POST', `/subscriptions/${id}/${action}/confirm`, { signature });
    expect(await read()).toMatchObject({ status: 'active', access: true });
  });

  // cancel-resume-close#reinstated-after-closed-elsewhere
  it('is not looked for after 60 days, nor when its account is another one', async () => {
    await begin();
    await endAsGone();
    await outside.remove('subscription');
    for (let week = 0; week < 10; week++) await pass(7 * DAY);
    expect(await storedSubscription(world, id)).toMatchObject({
      status: 'ended',
      wakeAt: null,
      nextCheckAt: null,
    });
  });
});

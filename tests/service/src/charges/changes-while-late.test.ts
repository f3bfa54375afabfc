import type { KeyPairSigner } from '@solana/kit';
import type { TierName } from '@subrail/core/schemas';
import { describe, expect, it } from 'vitest';
import {
  MINUTE,
  MONTH,
  DAY,
  openSubscriber,
  PRICE,
  type TestWorld,
  type TestWorldOptions,
  withOutages,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let unreachable = false;
/** When the first period ended. */
let paidEnd: number;

/** A customer who missed the second month. */
async function begin(tier: TierName, options: TestWorldOptions = {}): Promise<void> {
  unreachable = false;
  ({ world, wallet, id, paidEnd } = await openSubscriber('late', {
    tier,
    wrapChain: (chain) => withOutages(chain, () => (unreachable ? { kind: 'transport' } : null)),
    ...options,
  }));
}

/** Moves time to each of these instants after the missed boundary, and does the work of each. */
async function workAt(...afterPaidEnd: readonly number[]): Promise<void> {
  for (const ms of afterPaidEnd) {
    const ahead = paidEnd + ms - world.now().getTime();
    if (ahead > 0) world.advance(ahead);
    await world.work();
  }
}

const setTier = (tier: TierName) => world.billing.project(world.projectId).update({ tier });
const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;
const iso = (afterPaidEnd: number) => new Date(paidEnd + afterPaidEnd).toISOString();

async function retry(): Promise<string> {
  const { status, body } = await world.call('POST', `/subscriptions/${id}/retry`);
  return typeof body['code'] === 'string' ? body['code'] : String(status);
}

/** A manual retry that is queued and then rejected: the wallet is emptied before the worker makes it. */
async function failedRetry(): Promise<void> {
  await world.give(wallet, PRICE);
  expect(await retry()).toBe('202');
  await world.take(wallet, PRICE);
  await world.work();
}

/** Every event after those of the first payment. */
async function events(): Promise<readonly string[]> {
  const stored = (await world.storedEvents()).filter(({ subscriptionId }) => subscriptionId === id);
  const inOrder = stored.sort((one, other) => one.sequence - other.sequence);
  return inOrder.slice(2).map(({ type }) => type.replace('subscription.', ''));
}

// retries#downgrade-while-late
describe('a downgrade to Free while late', () => {
  it('keeps ten minutes between manual retries, those before it included', async () => {
    await begin('dev');
    await failedRetry();
    await setTier('free');
    await world.give(wallet, PRICE);
    expect(await retry()).toBe('retry_too_soon');
    world.advance(10 * MINUTE);
    expect(await retry()).toBe('202');
  });

  it('ends the access that a block had kept', async () => {
    await begin('dev');
    unreachable = true;
    await workAt(DAY);
    unreachable = false;
    expect(await read()).toMatchObject({ access: true, blocked_reason: 'mesub' });
    await setTier('free');
    expect(await read()).toMatchObject({ status: 'unpaid', access: false, access_until: null });
    expect(await events()).toEqual(['payment_failed', 'access_revoked']);
  });

  it('reads the end of the plan as the deadline where that comes first, and then ends', async () => {
    await begin('dev', { endsAfter: MONTH + 10 * DAY });
    const { endsAt } = await world.plan('pro');
    await setTier('free');
    expect(await read()).toMatchObject({ retry_deadline: endsAt?.toISOString() });
    await workAt(11 * DAY);
    expect(await events()).toEqual(['payment_failed', 'access_revoked', 'ended']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_ended' });
  });

  it('after the deadline has passed leaves the missed period, and charges the next one when it begins', async () => {
    await begin('dev', { periodHours: 1 });
    // Retries of an hourly plan are 15 minutes apart, so that the third is blocked until the period is nearly over.
    await workAt(15 * MINUTE, 30 * MINUTE);
    unreachable = true;
    await workAt(45 * MINUTE, 56 * MINUTE);
    unreachable = false;
    world.advance(paidEnd + 59 * MINUTE - world.now().getTime());
    await setTier('free');
    expect(await read()).toMatchObject({ status: 'unpaid', retry_deadline: null, next_retry_at: null });
    await world.give(wallet, PRICE);
    // retries#deadline-that-passed-unnoticed
    expect(await retry()).toBe('retry_deadline_passed');
    await workAt(59 * MINUTE + 30_000);
    expect((await events()).slice(-1)).toEqual(['access_revoked']);
    await workAt(60 * MINUTE);
    expect((await events()).slice(-2)).toEqual(['renewed', 'access_granted']);
    expect(await read()).toMatchObject({ status: 'active', current_period_start: iso(60 * MINUTE) });
  });

  it('waits for a charge in flight, whose payment counts', async () => {
    await begin('business');
    await world.give(wallet, PRICE);
    world.advance(DAY);
    await world.billing.worker.charge();
    await setTier('free');
    expect(await read()).toMatchObject({ next_retry_number: 1, access: true });
    await world.work();
    expect(await events()).toEqual(['payment_failed', 'renewed']);
  });
});

// retries#upgrade-while-late
describe('an upgrade from Free while late', () => {
  it('brings the access back with the retry that pays', async () => {
    await begin('free');
    await setTier('business');
    await world.give(wallet, PRICE);
    await workAt(DAY + MINUTE);
    expect(await events()).toEqual(['payment_failed', 'access_revoked', 'renewed', 'access_granted']);
  });

  it('gives no retry where the plan ends before it, and ends with the plan', async () => {
    await begin('free', { endsAfter: MONTH + 12 * 60 * MINUTE });
    await setTier('dev');
    expect(await read()).toMatchObject({ next_retry_at: null, next_retry_number: null, retries_allowed: 3 });
    await workAt(DAY);
    expect(await events()).toEqual(['payment_failed', 'access_revoked', 'ended']);
  });

  it('after a downgrade gives the retries anew and not the access', async () => {
    await begin('dev');
    await workAt(DAY);
    await setTier('free');
    await setTier('dev');
    expect(await read()).toMatchObject({ access: false, next_retry_number: 1, retries_allowed: 3 });
    expect(await events()).toEqual(['payment_failed', 'payment_failed', 'access_revoked']);
  });
});

// retries#policy-change
it("a change of the plan's retry policy while late applies from the next failed charge", async () => {
  await begin('business');
  const before = await read();
  expect(before).toMatchObject({ status: 'unpaid', next_retry_number: 1, retries_allowed: 3 });
  const plan = await world.plan('pro');
  const retryPolicy = { attempts: 5, waitMs: 2 * DAY };
  expect(await world.store.updatePlan({ ...plan, version: plan.version + 1, retryPolicy })).toBe('updated');
  expect(await read()).toMatchObject({ retries_allowed: 3, next_retry_at: before['next_retry_at'] });
  await workAt(DAY);
  expect(await read()).toMatchObject({ next_retry_number: 2, retries_allowed: 3 });
  await world.give(wallet, PRICE);
  await workAt(2 * DAY);
  expect(await read()).toMatchObject({ status: 'active' });
  await workAt(MONTH);
  expect(await read()).toMatchObject({ status: 'unpaid', next_retry_number: 1, retries_allowed: 5 });
});

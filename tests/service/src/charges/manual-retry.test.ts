import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  MONTH,
  MINUTE,
  DAY,
  openSubscriber,
  openTestWorld,
  outcomesPending,
  type OutsideActions,
  PRICE,
  type TestWorld,
  type TestWorldOptions,
  withOutages,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;

/** A customer who missed the second month and whose wallet is empty. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id, outside } = await openSubscriber('late', options));
}

const retry = () => world.call('POST', `/subscriptions/${id}/retry`);
const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;

async function refusal() {
  const { status, body } = await retry();
  return `${status} ${String(body['code'])}`;
}

/** A manual retry that is queued and then fails: the wallet is emptied before the worker runs it. */
async function failedRetry(): Promise<void> {
  await world.give(wallet, PRICE);
  expect(await retry()).toMatchObject({ status: 202 });
  await world.take(wallet, PRICE);
  await world.work();
}

async function attempts() {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  return (body['data'] as Record<string, unknown>[])
    .reverse()
    .map(({ outcome, retry: again, retry_number, retries_allowed }) =>
      [outcome, again, retry_number, retries_allowed].map(String).join(' '),
    );
}

describe('a manual retry on Dev and Business', () => {
  // retries#queued-retry-is-idempotent
  it('charges the missed period now, and reports the outcome by its event', async () => {
    await begin();
    await world.give(wallet, PRICE);
    expect(await retry()).toMatchObject({ status: 202, body: { status: 'unpaid', next_retry_number: 1 } });
    await world.work();
    expect(await read()).toMatchObject({ status: 'active', payment_status: 'paid' });
    expect((await world.events()).slice(2)).toEqual(['payment_failed', 'renewed']);
    expect((await attempts()).slice(1)).toEqual(['rejected false null null', 'paid true null null']);
  });

  // attempts#attempt-retry-fields, invariants#only-rejections-spend-retries
  it("leaves the plan's own retries as they were when it fails", async () => {
    await begin();
    const before = await read();
    await failedRetry();
    const after = await read();
    for (const field of ['next_retry_at', 'next_retry_number', 'retries_allowed', 'access_until', 'status']) {
      expect(after[field]).toEqual(before[field]);
    }
    expect((await world.storedEvents()).at(-1)).toMatchObject({
      type: 'subscription.payment_failed',
      detail: { retries_left: 3, retry_mode: 'scheduled', next_retry_at: before['next_retry_at'] },
    });
    world.advance(DAY);
    await world.work();
    expect((await attempts()).slice(1)).toEqual([
      ...['rejected false null null', 'rejected true null null'],
      'rejected true 1 3',
    ]);
  });

  // retries#manual-retries-on-dev-and-business
  it('is allowed 20 minutes after the first, then after 40, then after 80', async () => {
    await begin();
    for (const wait of [20, 40, 80]) {
      await failedRetry();
      await world.give(wallet, PRICE);
      world.advance(wait * MINUTE - 60_000);
      const early = await retry();
      expect(early).toMatchObject({ status: 409, body: { code: 'retry_too_soon', retryable: true } });
      world.advance(MINUTE);
      await world.take(wallet, PRICE);
    }
    await failedRetry();
  });

  // retries#manual-retry-near-a-boundary
  it('is accepted at once in a second period, and waits after the one before within each', async () => {
    let unreachable = false;
    await begin({
      periodHours: 1,
      wrapChain: (chain) => withOutages(chain, () => (unreachable ? { kind: 'transport' } : null)),
    });
    // The third automatic retry is blocked until the next period.
    for (const [minutes, silent] of [
      [15, false],
      [15, false],
      [15, true],
      [12, true],
    ] as const) {
      unreachable = silent;
      world.advance(minutes * MINUTE);
      await world.work();
    }
    unreachable = false;
    await failedRetry();
    await world.give(wallet, PRICE);
    expect(await refusal()).toBe('409 retry_too_soon');
    await world.take(wallet, PRICE);
    world.advance(4 * MINUTE);
    await failedRetry();
    await world.give(wallet, PRICE);
    expect(await refusal()).toBe('409 retry_too_soon');
  });

  // retries#queued-retry-is-idempotent
  it('answers the same and queues nothing when repeated while it is queued', async () => {
    await begin();
    await world.give(wallet, PRICE);
    const first = await retry();
    expect((await retry()).body).toEqual(first.body);
    await world.work();
    expect((await attempts()).length).toBe(3);
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });

  it('is refused as subscription_changed while a charge runs', async () => {
    await begin();
    await world.give(wallet, PRICE);
    await retry();
    await world.billing.worker.charge();
    expect(await refusal()).toBe('409 subscription_changed');
    await world.work();
    expect(await read()).toMatchObject({ status: 'active' });
  });

  it('is refused when the chain shows that it cannot succeed', async () => {
    await begin();
    expect(await refusal()).toBe('409 insufficient_balance');
    await world.give(wallet, PRICE);
    await outside.revokeApproval();
    expect(await refusal()).toBe('409 retry_cannot_succeed');
  });

  it('is refused when the subscription is not late, or its plan is about to end', async () => {
    await begin({ endsAfter: MONTH + 5 * MINUTE + 6 * 60 * MINUTE });
    await world.give(wallet, PRICE);
    world.advance(6 * 60 * MINUTE + 3 * MINUTE + 30_000);
    expect(await refusal()).toBe('409 plan_ended');
    world = await openTestWorld();
    wallet = await world.wallet(PRICE);
    id = await world.subscribe(wallet);
    expect(await refusal()).toBe('409 subscription_not_late');
  });
});

describe('a manual retry on Free', () => {
  // retries#manual-retries-on-free, retries#retry-deadline-on-free, attempts#attempt-retry-fields
  it('is one of three in the missed period, at least ten minutes apart, until the deadline', async () => {
    await begin({ tier: 'free' });
    expect(await read()).toMatchObject({ access: false, next_retry_at: null, retries_allowed: null });
    for (let number = 1; number <= 3; number++) {
      await failedRetry();
      if (number < 3) {
        await world.give(wallet, PRICE);
        expect(await refusal()).toBe('409 retry_too_soon');
        await world.take(wallet, PRICE);
      }
      world.advance(10 * MINUTE);
    }
    await world.give(wallet, PRICE);
    expect(await refusal()).toBe('409 retries_spent');
    expect((await attempts()).slice(1)).toEqual([
      'rejected false null null',
      ...[1, 2, 3].map((number) => `rejected true ${number} 3`),
    ]);
    expect((await world.storedEvents()).at(-1)).toMatchObject({
      detail: { retries_left: 0, retry_mode: null },
    });
    const deadline = new Date(String((await read())['retry_deadline'])).getTime();
    world.advance(deadline - world.now().getTime());
    expect(await refusal()).toBe('409 retry_deadline_passed');
    await world.work();
    expect(await read()).toMatchObject({ status: 'stopped', stop_reason: 'retry_deadline_passed' });
    expect((await world.events()).at(-1)).toBe('stopped');
  });

  // retries#retry-deadline-on-free
  it('is not stopped by the deadline while its charge is under way, and pays when that landed', async () => {
    await begin({ tier: 'free' });
    const deadline = new Date(String((await read())['retry_deadline'])).getTime();
    world.advance(deadline - MINUTE - world.now().getTime());
    await world.give(wallet, PRICE);
    expect(await retry()).toMatchObject({ status: 202 });
    world.injectFaults(outcomesPending);
    await world.billing.worker.charge();
    world.advance(2 * MINUTE);
    await world.billing.worker.charge();
    expect(await read()).toMatchObject({ status: 'unpaid' });
    world.clearFaults();
    await world.work();
    expect(await read()).toMatchObject({ status: 'active', payment_status: 'paid' });
    expect((await world.events()).slice(-3)).toEqual(['renewed', 'access_granted', 'renewal_upcoming']);
  });

  // retries#paid-retry, access#no-grace-on-free
  it('grants access again when it pays', async () => {
    await begin({ tier: 'free' });
    await world.give(wallet, PRICE);
    expect(await retry()).toMatchObject({ status: 202 });
    await world.billing.worker.charge();
    expect(await refusal()).toBe('409 pull_running');
    await world.work();
    expect(await read()).toMatchObject({ status: 'active', access: true });
    expect((await world.events()).slice(2)).toEqual([
      ...['payment_failed', 'access_revoked'],
      ...['renewed', 'access_granted'],
    ]);
  });
});

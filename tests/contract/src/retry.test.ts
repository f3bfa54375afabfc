// Heavy: each answer is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, PERIOD, PRICE, SECOND, statusAndCode, type ScenarioOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

/** A customer who missed the second period and whose wallet is empty. */
async function late(options: ScenarioOptions = {}) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet(PRICE);
  const id = await scenario.subscribe(wallet);
  const outside = await scenario.outside(wallet);
  await suite.control.pass(PERIOD);
  expect(await scenario.read(id)).toMatchObject({ status: 'unpaid', payment_status: 'late' });
  // Attempts of the same instant are listed in the order of their ids (lists#newest-first-order).
  await suite.control.pass(SECOND);
  const retry = () => scenario.api.post(`/subscriptions/${id}/retry`);
  /** A manual retry that is accepted and fails: the wallet is emptied before the worker runs it. */
  async function failedRetry() {
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await retry())).toBe('202');
    await scenario.setHolding(wallet, 0n);
    await suite.control.pass(SECOND);
  }
  return { scenario, wallet, id, outside, retry, failedRetry };
}

describe('POST /v1/subscriptions/{id}/retry', () => {
  // retries#queued-retry-is-idempotent
  it('answers the subscription, still unpaid, and charges the missed period now', async () => {
    const { scenario, wallet, id, retry } = await late();
    await scenario.setHolding(wallet, PRICE);
    const answer = await retry();
    expect(answer).toMatchObject({ status: 202, body: { id, status: 'unpaid', payment_status: 'late' } });
    await suite.control.pass(SECOND);
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      late_reason: null,
    });
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      ...['renewal_upcoming', 'payment_failed', 'renewed'],
    ]);
  });

  // retries#refusals-of-a-manual-retry, retries#queued-retry-is-idempotent
  it('answers the same and queues nothing when repeated while it is queued', async () => {
    const { scenario, wallet, id, retry } = await late();
    await scenario.setHolding(wallet, 2n * PRICE);
    const first = await retry();
    expect((await retry()).body).toEqual(first.body);
    await suite.control.pass(SECOND);
    expect(await scenario.outcomes(id)).toEqual(['rejected insufficient_balance', 'paid null']);
    expect(await scenario.holding(wallet)).toBe(PRICE);
  });

  // retries#manual-retries-on-dev-and-business, attempts#attempt-retry-fields
  it("leaves the plan's retries as they were on Dev and Business, and has no retry number", async () => {
    const { scenario, id, failedRetry } = await late({ tier: 'dev' });
    const before = await scenario.read(id);
    await failedRetry();
    const after = await scenario.read(id);
    for (const field of ['next_retry_at', 'next_retry_number', 'retries_allowed', 'access_until', 'status']) {
      expect(after[field]).toEqual(before[field]);
    }
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      retry: true,
      retry_number: null,
      retries_allowed: null,
    });
    expect((await scenario.events(id)).at(-1)).toMatchObject({
      type: 'subscription.payment_failed',
      detail: { retries_left: 3, retry_mode: 'scheduled', next_retry_at: before['next_retry_at'] },
    });
    await suite.control.pass(DAY);
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      retry: true,
      retry_number: 1,
      retries_allowed: 3,
    });
  });

  it('is allowed at once on Dev and Business, then after 20, 40 and 80 minutes; 409 retry_too_soon names the time', async () => {
    const { scenario, wallet, retry, failedRetry } = await late();
    for (const wait of [20, 40, 80]) {
      await failedRetry();
      await scenario.setHolding(wallet, PRICE);
      const early = await retry();
      expect(statusAndCode(early)).toBe('409 retry_too_soon');
      const left = Number(early.headers.get('retry-after'));
      expect(left).toBeLessThanOrEqual(wait * 60);
      expect(left).toBeGreaterThan((wait - 1) * 60);
      expect(early.body['message']).toContain(String(left));
      await suite.control.pass(left * SECOND);
    }
    await failedRetry();
  });

  // retries#manual-retries-on-free
  it('is allowed three times in a missed period on Free, ten minutes apart, then 409 retries_spent', async () => {
    const { scenario, wallet, id, retry, failedRetry } = await late({ tier: 'free' });
    for (const number of [1, 2, 3]) {
      await failedRetry();
      expect((await scenario.attempts(id)).at(-1)).toMatchObject({
        retry: true,
        retry_number: number,
        retries_allowed: 3,
      });
      if (number === 3) break;
      await scenario.setHolding(wallet, PRICE);
      const early = await retry();
      expect(statusAndCode(early)).toBe('409 retry_too_soon');
      expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(600);
      await suite.control.pass(10 * MINUTE);
    }
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await retry())).toBe('409 retries_spent');
    expect((await scenario.events(id)).at(-1)?.detail).toMatchObject({ retries_left: 0, retry_mode: null });
  });

  // retries#manual-retries-on-free
  it('409 retry_deadline_passed on Free in the last two minutes of the missed period', async () => {
    const { scenario, wallet, id, retry } = await late({ tier: 'free' });
    const deadline = new Date(String((await scenario.read(id))['retry_deadline'])).getTime();
    await scenario.setHolding(wallet, PRICE);
    const answer = await suite.during('worker_stopped', async () => {
      await suite.control.pass(deadline - suite.control.now().getTime());
      return retry();
    });
    expect(statusAndCode(answer)).toBe('409 retry_deadline_passed');
    await suite.control.pass(SECOND);
    expect(await scenario.read(id)).toMatchObject({
      status: 'stopped',
      stop_reason: 'retry_deadline_passed',
    });
  });

  it('409 pull_running on Free while a charge runs, and 409 subscription_changed elsewhere; both are retryable', async () => {
    for (const [tier, code] of [
      ['free', 'pull_running'],
      ['business', 'subscription_changed'],
    ] as const) {
      const { scenario, wallet, id, retry } = await late({ tier });
      await scenario.setHolding(wallet, PRICE);
      await retry();
      await suite.control.runWorkerOnce();
      const answer = await retry();
      expect(statusAndCode(answer)).toBe(`409 ${code}`);
      expect(answer.body).toMatchObject({ retryable: true });
      await suite.control.pass(10 * SECOND);
      expect(await scenario.read(id)).toMatchObject({ status: 'active', access: true });
    }
  });

  it('409 insufficient_balance when the wallet holds less than the period costs', async () => {
    const { scenario, wallet, retry } = await late();
    await scenario.setHolding(wallet, PRICE - 1n);
    expect(statusAndCode(await retry())).toBe('409 insufficient_balance');
  });

  // retries#money-that-would-not-help
  it.each(['no longer approves', 'token account frozen', 'authority closed'] as const)(
    "409 retry_cannot_succeed when the wallet's side reads: %s",
    async (how) => {
      const { scenario, wallet, outside, retry } = await late();
      await scenario.setHolding(wallet, PRICE);
      if (how === 'no longer approves') await outside.revokeApproval();
      else if (how === 'token account frozen') await outside.freeze('wallet');
      else await outside.closeAuthority();
      expect(statusAndCode(await retry())).toBe('409 retry_cannot_succeed');
      await scenario.setHolding(wallet, 0n);
      expect(statusAndCode(await retry())).toBe('409 retry_cannot_succeed');
    },
  );

  it('409 subscription_not_late when it is not unpaid', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    expect(statusAndCode(await scenario.api.post(`/subscriptions/${id}/retry`))).toBe(
      '409 subscription_not_late',
    );
  });

  // retries#last-two-minutes-of-a-plan
  it('409 plan_ended when its plan has ended or is about to', async () => {
    const ending = PERIOD + 30 * MINUTE;
    const { scenario, wallet, retry } = await late({ endsAfter: ending });
    await scenario.setHolding(wallet, PRICE);
    const answer = await suite.during('worker_stopped', async () => {
      const ends = new Date(String((await scenario.api.get('/plans/pro')).body['ends_at'])).getTime();
      await suite.control.pass(ends - suite.control.now().getTime() - MINUTE);
      return retry();
    });
    expect(statusAndCode(answer)).toBe('409 plan_ended');
  });

  it('409 subscription_changed when every write conflicts, 503 network_unavailable while the chain is unreachable', async () => {
    const { scenario, wallet, retry } = await late();
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await suite.during('writes_conflict', retry))).toBe('409 subscription_changed');
    expect(statusAndCode(await suite.during('chain_unreachable', retry))).toBe('503 network_unavailable');
  });
});

import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, PERIOD, PRICE, SECOND, statusAndCode, type ScenarioOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

/** A customer whose second period was missed: the wallet is empty. */
async function late(options: ScenarioOptions = {}) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet(PRICE);
  const id = await scenario.subscribe(wallet);
  const outside = await scenario.outside(wallet);
  await suite.control.pass(PERIOD);
  expect(await scenario.read(id)).toMatchObject({ status: 'unpaid', payment_status: 'late' });
  // What happens at one instant has no order of its own in a list (requests#identifiers).
  await suite.control.pass(SECOND);
  const retry = () => scenario.api.post(`/subscriptions/${id}/retry`);
  /** One that is taken and fails: the wallet is emptied before the worker runs it. */
  async function failed() {
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await retry())).toBe('202');
    await scenario.setHolding(wallet, 0n);
    await suite.control.pass(SECOND);
  }
  return { scenario, wallet, id, outside, retry, failed };
}

describe('POST /v1/subscriptions/{id}/retry', () => {
  it('answers the subscription, still unpaid, and runs the charge of the missed period now', async () => {
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
    expect((await scenario.eventTypes(id)).slice(2)).toEqual(['payment_failed', 'renewed']);
  });

  it('asked again while it is queued answers the same and queues nothing (retries#refusals-of-a-manual-retry)', async () => {
    const { scenario, wallet, id, retry } = await late();
    await scenario.setHolding(wallet, 2n * PRICE);
    const first = await retry();
    expect((await retry()).body).toEqual(first.body);
    await suite.control.pass(SECOND);
    expect(await scenario.outcomes(id)).toEqual(['rejected insufficient_balance', 'paid null']);
    expect(await scenario.holding(wallet)).toBe(PRICE);
  });

  it('Dev and Business: uncounted, and the retries of the plan stay as they were; its numbers are null (retries#manual-retries-on-dev-and-business)', async () => {
    const { scenario, id, failed } = await late({ tier: 'dev' });
    const before = await scenario.read(id);
    await failed();
    const after = await scenario.read(id);
    for (const field of ['next_retry_at', 'next_retry_number', 'retries_allowed', 'access_until', 'status']) {
      expect(after[field]).toEqual(before[field]);
    }
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      retry: true,
      retry_number: null,
      retries_allowed: null,
    });
    await suite.control.pass(DAY);
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      retry: true,
      retry_number: 1,
      retries_allowed: 3,
    });
  });

  it('Dev and Business: the first at once, then waits of 20, 40 and 80 minutes; 409 retry_too_soon gives the time', async () => {
    const { scenario, wallet, retry, failed } = await late();
    for (const wait of [20, 40, 80]) {
      await failed();
      await scenario.setHolding(wallet, PRICE);
      const early = await retry();
      expect(statusAndCode(early)).toBe('409 retry_too_soon');
      const left = Number(early.headers.get('retry-after'));
      expect(left).toBeLessThanOrEqual(wait * 60);
      expect(left).toBeGreaterThan((wait - 1) * 60);
      expect(early.body['message']).toContain(String(left));
      await suite.control.pass(left * SECOND);
    }
    await failed();
  });

  it('Free: one of the three of the missed period, ten minutes apart, then 409 retries_spent', async () => {
    const { scenario, wallet, id, retry, failed } = await late({ tier: 'free' });
    for (const number of [1, 2, 3]) {
      await failed();
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

  it('Free: none within the last two minutes of the missed period: 409 retry_deadline_passed', async () => {
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

  it('Free: 409 pull_running while a charge runs; elsewhere it is 409 subscription_changed; both are retryable', async () => {
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

  it('409 insufficient_balance: the wallet holds less than the period costs', async () => {
    const { scenario, wallet, retry } = await late();
    await scenario.setHolding(wallet, PRICE - 1n);
    expect(statusAndCode(await retry())).toBe('409 insufficient_balance');
  });

  it.each(['no longer approves', 'token account frozen', 'authority closed'] as const)(
    '409 retry_cannot_succeed: %s',
    async (how) => {
      const { scenario, wallet, outside, retry } = await late();
      await scenario.setHolding(wallet, PRICE);
      if (how === 'no longer approves') await outside.revokeApproval();
      else if (how === 'token account frozen') await outside.freeze('wallet');
      else await outside.closeAuthority();
      expect(statusAndCode(await retry())).toBe('409 retry_cannot_succeed');
    },
  );

  it('409 subscription_not_late: not unpaid', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    expect(statusAndCode(await scenario.api.post(`/subscriptions/${id}/retry`))).toBe(
      '409 subscription_not_late',
    );
  });

  it('409 plan_ended: its plan has ended, or is about to (retries#last-two-minutes-of-a-plan)', async () => {
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

  it('409 subscription_changed: other calls are faster all the time; 503 network_unavailable: the chain is silent', async () => {
    const { scenario, wallet, retry } = await late();
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await suite.during('writes_conflict', retry))).toBe('409 subscription_changed');
    expect(statusAndCode(await suite.during('chain_unreachable', retry))).toBe('503 network_unavailable');
  });
});

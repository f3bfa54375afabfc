// Heavy: each state is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, PERIOD, PRICE, SECOND, type Scenario, type ScenarioOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

async function subscribed(options: ScenarioOptions = {}, tokens = 10n * PRICE) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet(tokens);
  const id = await scenario.subscribe(wallet);
  const one = await scenario.read(id);
  const end = new Date(String(one['current_period_end'])).getTime();
  return { scenario, wallet, id, outside: await scenario.outside(wallet), end };
}

const iso = (ms: number) => new Date(ms).toISOString();

const NO_DATES = {
  access_until: null,
  next_charge_at: null,
  next_retry_at: null,
  next_retry_number: null,
  retries_allowed: null,
  retry_deadline: null,
};

/** The instant of the last rejected try. */
async function rejectedAt(scenario: Scenario, id: string): Promise<number> {
  const attempt = (await scenario.attempts(id)).at(-1);
  expect(attempt).toMatchObject({ outcome: 'rejected' });
  return new Date(String(attempt?.['attempted_at'])).getTime();
}

// access#access-by-state
describe('dates and access in each state', () => {
  // access#period-dates
  it('a pending subscription has no dates and no access', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    expect(await scenario.read(subscription.id)).toMatchObject({
      status: 'pending',
      payment_status: 'none',
      access: false,
      ...NO_DATES,
    });
  });

  it('a paid subscription has access until its next boundary', async () => {
    const { scenario, id, end } = await subscribed();
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      access: true,
      ...NO_DATES,
      access_until: iso(end),
      next_charge_at: iso(end),
      closable: false,
      closable_from: null,
    });
  });

  // access#access-stops-at-the-plan-end, access#charge-and-retry-dates
  it("in the last period of an ending plan, access lasts until the plan's end and no charge is dated", async () => {
    const { scenario, id } = await subscribed({ endsAfter: PERIOD + 6 * MINUTE });
    await suite.control.pass(PERIOD);
    const { ends_at } = (await scenario.api.get('/plans/pro')).body;
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      access: true,
      access_until: ends_at,
      next_charge_at: null,
    });
  });

  // access#access-does-not-blink
  it('access lasts while a charge is due and not resolved', async () => {
    const { scenario, id, end } = await subscribed();
    await suite.during('worker_stopped', async () => {
      await suite.control.pass(PERIOD + HOUR);
      expect(await scenario.read(id)).toMatchObject({
        status: 'active',
        payment_status: 'paid',
        access: true,
        ...NO_DATES,
        access_until: iso(end + PERIOD),
        next_charge_at: iso(end),
      });
    });
    await suite.control.pass(MINUTE);
    // A renewal that pays raises no access event.
    expect((await scenario.eventTypes(id)).slice(2)).toEqual(['renewed']);
  });

  // blocks#access-under-a-setup-block, blocks#start-of-a-block
  it("a block by the plan's setup keeps access for as long as the plan's retries would take", async () => {
    const { scenario, id, outside, end } = await subscribed();
    await outside.freeze('owner');
    await suite.control.pass(PERIOD);
    const one = await scenario.read(id);
    expect(one).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      access: true,
      access_until: iso(end + 3 * DAY),
    });
    expect(new Date(String(one['next_charge_at'])).getTime()).toBe(
      new Date(String(one['blocked_since'])).getTime() + 10 * MINUTE,
    );
  });

  // blocks#access-under-a-setup-block
  it("a block by the plan's setup ends access on Free at the boundary", async () => {
    const { scenario, id, outside } = await subscribed({ tier: 'free' });
    await outside.freeze('owner');
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      access: false,
      access_until: null,
    });
  });

  // blocks#access-under-a-setup-block, retries#retry-policy-of-a-plan
  it("a block by the plan's setup keeps access for as long as the retries that the plan sets", async () => {
    const { scenario, id, outside, end } = await subscribed({
      plan: { retry_attempts: 2, retry_wait_minutes: 60 },
    });
    await outside.freeze('owner');
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({ access: true, access_until: iso(end + 2 * HOUR) });
  });

  // access#grace-while-unpaid, access#charge-and-retry-dates, retries#default-retry-policy,
  // retries#last-retry-stops
  it('a late payment on Dev and Business has a dated retry, and access until the last retry', async () => {
    const { scenario, id } = await subscribed({}, PRICE);
    await suite.control.pass(PERIOD);
    for (const number of [1, 2, 3]) {
      const failed = await rejectedAt(scenario, id);
      expect(await scenario.read(id)).toMatchObject({
        status: 'unpaid',
        payment_status: 'late',
        access: true,
        ...NO_DATES,
        access_until: iso(failed + DAY * (4 - number)),
        next_retry_at: iso(failed + DAY),
        next_retry_number: number,
        retries_allowed: 3,
      });
      await suite.control.pass(failed + DAY - suite.control.now().getTime());
    }
    expect(await scenario.read(id)).toMatchObject({
      status: 'stopped',
      payment_status: 'none',
      access: false,
      ...NO_DATES,
    });
  });

  // access#access-stops-at-the-plan-end
  it("the plan's end before the next retry ends the access of a late payment", async () => {
    const { scenario, id } = await subscribed({ endsAfter: PERIOD + HOUR }, PRICE);
    await suite.control.pass(PERIOD);
    const { ends_at } = (await scenario.api.get('/plans/pro')).body;
    expect(await scenario.read(id)).toMatchObject({
      status: 'unpaid',
      payment_status: 'late',
      access: true,
      ...NO_DATES,
      access_until: ends_at,
      retries_allowed: 3,
    });
    await suite.control.pass(HOUR + MINUTE);
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'plan_ended',
      access: false,
    });
  });

  // access#no-grace-on-free, retries#retry-deadline-on-free
  it('a late payment on Free has no access, and a deadline for manual retries two minutes before the period ends', async () => {
    const { scenario, id, end } = await subscribed({ tier: 'free' }, PRICE);
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({
      status: 'unpaid',
      payment_status: 'late',
      access: false,
      ...NO_DATES,
      retry_deadline: iso(end + PERIOD - 2 * MINUTE),
    });
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({
      status: 'stopped',
      stop_reason: 'retry_deadline_passed',
      late_reason: 'insufficient_balance',
      ...NO_DATES,
    });
    expect((await scenario.events(id)).at(-1)).toMatchObject({
      type: 'subscription.stopped',
      detail: { reason: 'retry_deadline_passed' },
    });
  });

  it('a cancellation keeps access only while the period is paid', async () => {
    const { scenario, wallet, id, end } = await subscribed();
    await scenario.act('cancel', id, wallet);
    expect(await scenario.read(id)).toMatchObject({
      status: 'cancelled',
      payment_status: 'paid',
      access: true,
      ...NO_DATES,
      access_until: iso(end),
      closable_from: iso(end),
    });
    const late = await scenario.wallet(PRICE);
    const behind = await scenario.subscribe(late, { external_id: 'b' });
    await suite.control.pass(PERIOD);
    await scenario.act('cancel', behind, late);
    expect(await scenario.read(behind)).toMatchObject({
      status: 'cancelled',
      payment_status: 'none',
      access: false,
      ...NO_DATES,
    });
  });

  // cancel-resume-close#reads-at-the-expiry, access#access-stops-at-its-date
  it('a cancellation reads ended from its expiry on, before the worker has written it', async () => {
    const { scenario, wallet, id, end } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await suite.during('worker_stopped', async () => {
      await suite.control.pass(PERIOD);
      expect(await scenario.read(id)).toMatchObject({
        status: 'ended',
        end_reason: 'cancelled',
        payment_status: 'none',
        access: false,
        ...NO_DATES,
        closable: true,
        closable_from: null,
        current_period_end: iso(end),
      });
      expect((await scenario.eventTypes(id)).at(-1)).toBe('cancelled');
    });
  });

  // access#access-does-not-blink, access#last-retry-holds-access
  it('access lasts while the last retry is due and not resolved', async () => {
    const { scenario, id, end } = await subscribed({}, PRICE);
    await suite.control.pass(PERIOD + 2 * DAY);
    await suite.during('worker_stopped', async () => {
      await suite.control.pass(DAY + MINUTE);
      expect(await scenario.read(id)).toMatchObject({
        status: 'unpaid',
        access: true,
        access_until: iso(end + PERIOD),
      });
    });
    await suite.control.pass(SECOND);
    expect((await scenario.eventTypes(id)).slice(-3)).toEqual([
      'payment_failed',
      'stopped',
      'access_revoked',
    ]);
  });

  // billing-periods#billing-grid, retries#paid-retry, billing-periods#late-payment-keeps-the-grid
  it('a paid retry keeps the billing grid', async () => {
    const { scenario, wallet, id, end } = await subscribed({}, PRICE);
    await suite.control.pass(PERIOD);
    await scenario.setHolding(wallet, 5n * PRICE);
    await suite.control.pass(DAY);
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      late_reason: null,
      current_period_start: iso(end),
      next_charge_at: iso(end + PERIOD),
    });
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      ...['renewal_upcoming', 'payment_failed', 'renewed'],
    ]);
  });

  // retries#last-two-minutes-of-a-plan
  it('no charge and no retry is dated within the last two minutes of a plan', async () => {
    const { scenario, id } = await subscribed({ endsAfter: 2 * PERIOD + MINUTE });
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({ status: 'active', next_charge_at: null });
    await suite.control.pass(PERIOD + 2 * MINUTE);
    expect(await scenario.outcomes(id)).toEqual(['paid null', 'skipped plan_ended']);
  });
});

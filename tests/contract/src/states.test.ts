// Heavy: each state is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import type { SubscriptionWire } from '@subrail/core/schemas';
import {
  DAY,
  HOUR,
  MINUTE,
  PERIOD,
  PRICE,
  statusAndCode,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

async function subscribed(tokens = 10n * PRICE, options: ScenarioOptions = {}) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet(tokens);
  const id = await scenario.subscribe(wallet);
  return { scenario, wallet, id, outside: await scenario.outside(wallet) };
}

/** The statuses that the events of a subscription show, in order, without repeats. */
async function statusPath(scenario: Scenario, id: string): Promise<readonly SubscriptionWire['status'][]> {
  const statuses = (await scenario.events(id)).map(({ data }) => data.status);
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}

describe('states and transitions', () => {
  it('create makes it pending, and submit makes it active', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const { id } = checkout.subscription;
    expect(await scenario.read(id)).toMatchObject({ status: 'pending' });
    expect(await scenario.eventTypes(id)).toEqual([]);
    await scenario.submit(checkout, wallet);
    expect(await scenario.read(id)).toMatchObject({ status: 'active', access: true });
    expect(await statusPath(scenario, id)).toEqual(['active']);
  });

  it('pending to expired when nobody signs the checkout', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    await suite.control.pass(HOUR);
    expect(await statusPath(scenario, subscription.id)).toEqual(['expired']);
    expect(await scenario.read(subscription.id)).toMatchObject({
      status: 'expired',
      end_reason: null,
      stop_reason: null,
    });
  });

  it('active to unpaid by a rejected charge, and back by a retry that pays', async () => {
    const { scenario, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({ status: 'unpaid', payment_status: 'late' });
    await scenario.setHolding(wallet, PRICE);
    await suite.control.pass(DAY);
    expect(await statusPath(scenario, id)).toEqual(['active', 'unpaid', 'active']);
  });

  // retries#last-retry-stops, retries#each-rejected-retry-spends-one
  it('unpaid to stopped when the last retry is spent', async () => {
    const { scenario, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await statusPath(scenario, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scenario.read(id)).toMatchObject({
      stop_reason: 'out_of_retries',
      late_reason: 'insufficient_balance',
    });
  });

  // retries#retry-deadline-on-free
  it('unpaid to stopped on Free when retry_deadline passes without a manual retry that paid', async () => {
    const { scenario, id } = await subscribed(PRICE, { tier: 'free' });
    await suite.control.pass(2 * PERIOD);
    expect(await statusPath(scenario, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scenario.read(id)).toMatchObject({ stop_reason: 'retry_deadline_passed' });
  });

  // attempts#closed-authority-stops
  it('active to stopped when the authorisation reads as closed', async () => {
    const { scenario, id, outside } = await subscribed();
    await outside.closeAuthority();
    await suite.control.pass(PERIOD);
    expect(await statusPath(scenario, id)).toEqual(['active', 'stopped']);
  });

  // attempts#closed-authority-stops
  it('unpaid to stopped when the authorisation reads as closed, whatever retries are left', async () => {
    const { scenario, id, outside } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await outside.closeAuthority();
    await suite.control.pass(DAY);
    expect(await statusPath(scenario, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scenario.read(id)).toMatchObject({ stop_reason: 'authority_closed', closable: true });
  });

  it.each(['active', 'unpaid', 'stopped'] as const)(
    '%s to cancelled by a confirmed cancellation',
    async (from) => {
      const { scenario, wallet, id } = await subscribed(from === 'active' ? 10n * PRICE : PRICE);
      if (from !== 'active') await suite.control.pass(from === 'unpaid' ? PERIOD : PERIOD + 4 * DAY);
      expect(await scenario.read(id)).toMatchObject({ status: from });
      expect(statusAndCode(await scenario.act('cancel', id, wallet))).toBe('201');
      expect((await statusPath(scenario, id)).slice(-2)).toEqual([from, 'cancelled']);
    },
  );

  it('cancelled to active by a resume before its end', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await scenario.act('resume', id, wallet);
    expect(await statusPath(scenario, id)).toEqual(['active', 'cancelled', 'active']);
  });

  it('cancelled to ended at the expiry, after which the wallet can close it', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await suite.control.pass(PERIOD + MINUTE);
    expect(await statusPath(scenario, id)).toEqual(['active', 'cancelled', 'ended']);
    expect(await scenario.act('close', id, wallet)).toMatchObject({
      body: { subscription: { end_reason: 'closed' } },
    });
  });

  // invariants#no-access-once-ended
  it('unpaid to ended with its plan, and cancelled to ended when it is closed elsewhere', async () => {
    const late = await subscribed(PRICE, { endsAfter: PERIOD + DAY });
    await suite.control.pass(PERIOD + DAY + MINUTE);
    expect(await statusPath(late.scenario, late.id)).toEqual(['active', 'unpaid', 'ended']);
    expect(await late.scenario.read(late.id)).toMatchObject({ end_reason: 'plan_ended' });
    const { scenario, wallet, id, outside } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await outside.remove('subscription');
    await suite.control.pass(PERIOD + HOUR);
    expect(await scenario.read(id)).toMatchObject({ status: 'ended', access: false });
  });

  // coming-back#superseded-by-a-comeback
  it('stopped to superseded by a comeback of its wallet', async () => {
    const { scenario, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    await scenario.setHolding(wallet, PRICE);
    await scenario.subscribe(wallet);
    expect(await scenario.read(id)).toMatchObject({
      status: 'superseded',
      stop_reason: null,
      closable: false,
    });
  });

  // retries#queued-retry-is-idempotent
  it('a running retry leaves it unpaid, and its outcome arrives as an event', async () => {
    const { scenario, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await scenario.setHolding(wallet, PRICE);
    await scenario.api.post(`/subscriptions/${id}/retry`);
    await suite.control.runWorkerOnce();
    expect(await scenario.read(id)).toMatchObject({ status: 'unpaid' });
    await suite.control.pass(MINUTE);
    expect((await scenario.eventTypes(id)).at(-1)).toBe('renewed');
  });

  it('a cancellation of an unpaid or stopped subscription never collects the missed period', async () => {
    const { scenario, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await scenario.act('cancel', id, wallet);
    await scenario.setHolding(wallet, 5n * PRICE);
    await suite.control.pass(2 * PERIOD);
    expect(await scenario.holding(wallet)).toBe(5n * PRICE);
    expect(await scenario.outcomes(id)).toEqual(['rejected insufficient_balance']);
  });
});

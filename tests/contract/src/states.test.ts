import { describe, expect, it } from 'vitest';
import type { SubscriptionWire } from '@subrail/core';
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

/** Every status a subscription was told to have, in its order, each once. */
async function path(scenario: Scenario, id: string): Promise<readonly SubscriptionWire['status'][]> {
  const statuses = (await scenario.events(id)).map(({ data }) => data.status);
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}

describe('States and transitions', () => {
  it('(none) to pending by create, and to active by submit', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const { id } = checkout.subscription;
    expect(await scenario.read(id)).toMatchObject({ status: 'pending' });
    expect(await scenario.eventTypes(id)).toEqual([]);
    await scenario.submit(checkout, wallet);
    expect(await scenario.read(id)).toMatchObject({ status: 'active', access: true });
    expect(await path(scenario, id)).toEqual(['active']);
  });

  it('pending to expired: a checkout nobody signed', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    await suite.control.pass(HOUR);
    expect(await path(scenario, subscription.id)).toEqual(['expired']);
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
    expect(await path(scenario, id)).toEqual(['active', 'unpaid', 'active']);
  });

  it('unpaid to stopped: the last allowed retry is spent', async () => {
    const { scenario, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await path(scenario, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scenario.read(id)).toMatchObject({
      stop_reason: 'out_of_retries',
      late_reason: 'insufficient_balance',
    });
  });

  it('unpaid to stopped on Free: retry_deadline passes with no retry by hand that paid', async () => {
    const { scenario, id } = await subscribed(PRICE, { tier: 'free' });
    await suite.control.pass(2 * PERIOD);
    expect(await path(scenario, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scenario.read(id)).toMatchObject({ stop_reason: 'retry_deadline_passed' });
  });

  it('active to stopped: the authorisation reads as closed', async () => {
    const { scenario, id, outside } = await subscribed();
    await outside.closeAuthority();
    await suite.control.pass(PERIOD);
    expect(await path(scenario, id)).toEqual(['active', 'stopped']);
  });

  it('unpaid to stopped: the same, whatever retries are left', async () => {
    const { scenario, id, outside } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await outside.closeAuthority();
    await suite.control.pass(DAY);
    expect(await path(scenario, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scenario.read(id)).toMatchObject({ stop_reason: 'authority_closed', closable: true });
  });

  it.each(['active', 'unpaid', 'stopped'] as const)(
    '%s to cancelled by a confirmed cancellation',
    async (from) => {
      const { scenario, wallet, id } = await subscribed(from === 'active' ? 10n * PRICE : PRICE);
      if (from !== 'active') await suite.control.pass(from === 'unpaid' ? PERIOD : PERIOD + 4 * DAY);
      expect(await scenario.read(id)).toMatchObject({ status: from });
      expect(statusAndCode(await scenario.act('cancel', id, wallet))).toBe('201');
      expect((await path(scenario, id)).slice(-2)).toEqual([from, 'cancelled']);
    },
  );

  it('cancelled to active by a resume before its end', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await scenario.act('resume', id, wallet);
    expect(await path(scenario, id)).toEqual(['active', 'cancelled', 'active']);
  });

  it('cancelled to ended by time, and the wallet can close it', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await suite.control.pass(PERIOD + MINUTE);
    expect(await path(scenario, id)).toEqual(['active', 'cancelled', 'ended']);
    expect(await scenario.act('close', id, wallet)).toMatchObject({
      body: { subscription: { end_reason: 'closed' } },
    });
  });

  it('any charged state to ended: unpaid with its plan, and cancelled when it is closed elsewhere', async () => {
    const late = await subscribed(PRICE, { endsAfter: PERIOD + DAY });
    await suite.control.pass(PERIOD + DAY + MINUTE);
    expect(await path(late.scenario, late.id)).toEqual(['active', 'unpaid', 'ended']);
    expect(await late.scenario.read(late.id)).toMatchObject({ end_reason: 'plan_ended' });
    const { scenario, wallet, id, outside } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await outside.remove('subscription');
    await suite.control.pass(PERIOD + HOUR);
    expect(await scenario.read(id)).toMatchObject({ status: 'ended', access: false });
  });

  it('stopped to superseded by a return of its wallet', async () => {
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

  it('a retry, while running, leaves it unpaid; the outcome arrives as an event', async () => {
    const { scenario, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await scenario.setHolding(wallet, PRICE);
    await scenario.api.post(`/subscriptions/${id}/retry`);
    await suite.control.runWorkerOnce();
    expect(await scenario.read(id)).toMatchObject({ status: 'unpaid' });
    await suite.control.pass(MINUTE);
    expect((await scenario.eventTypes(id)).at(-1)).toBe('renewed');
  });

  it('an unpaid or stopped one keeps its missed period: it is never collected when it is cancelled', async () => {
    const { scenario, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await scenario.act('cancel', id, wallet);
    await scenario.setHolding(wallet, 5n * PRICE);
    await suite.control.pass(2 * PERIOD);
    expect(await scenario.holding(wallet)).toBe(5n * PRICE);
    expect(await scenario.outcomes(id)).toEqual(['rejected insufficient_balance']);
  });
});

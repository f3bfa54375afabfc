import { describe, expect, it } from 'vitest';
import type { OutsideActions } from '@subrail/test-world';
import { DAY, MINUTE, PERIOD, PRICE, SECOND, statusAndCode } from './scenario.js';
import type { Answer } from './client.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

/** A wallet whose subscription stopped out of retries, and which has its money back. */
async function stopped() {
  const scenario = await suite.scenario();
  const wallet = await scenario.wallet(PRICE);
  const outside = await scenario.outside(wallet);
  const old = await scenario.subscribe(wallet);
  const { current_period_end } = await scenario.read(old);
  await suite.control.pass(PERIOD + 4 * DAY);
  expect(await scenario.read(old)).toMatchObject({ status: 'stopped', stop_reason: 'out_of_retries' });
  await scenario.setHolding(wallet, 9n * PRICE);
  /** The end of the grid period in progress. */
  const boundary = new Date(String(current_period_end)).getTime() + PERIOD;
  return { scenario, wallet, outside, old, boundary };
}

// coming-back#who-can-come-back
describe('coming back', () => {
  // coming-back#comeback-keeps-the-grid, coming-back#comeback-pays-the-current-period,
  // coming-back#superseded-by-a-comeback, lists#attempts-of-one-subscription
  it('makes a new subscription on the old grid with costs.rent at zero, and supersedes the old one', async () => {
    const { scenario, wallet, old, boundary } = await stopped();
    const checkout = await scenario.issue(wallet);
    expect(checkout).toMatchObject({ costs: { rent: { subscription: '0', authority: null, total: '0' } } });
    const answer = await scenario.submit(checkout, wallet);
    const { id } = checkout.subscription;
    expect(answer.body['subscription']).toMatchObject({
      id,
      status: 'active',
      access: true,
      current_period_end: new Date(boundary).toISOString(),
    });
    // A superseded subscription is still retrieved by its id, and left out of lists.
    expect(await scenario.read(old)).toMatchObject({
      status: 'superseded',
      access: false,
      payment_status: 'none',
      stop_reason: null,
    });
    const { body } = await scenario.api.get('/subscriptions', { external_id: 'customer-1' });
    expect((body['data'] as { id: string }[]).map((one) => one.id)).toEqual([id]);
    expect(await scenario.attempts(id)).toMatchObject([
      { outcome: 'paid', period_start: new Date(boundary - PERIOD).toISOString() },
    ]);
    expect(await scenario.eventTypes(id)).toEqual(['created', 'access_granted']);
    expect((await scenario.events(id))[0]?.detail).toMatchObject({ previous_id: old });
    expect(await scenario.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({
      subscription_id: id,
    });
  });

  // coming-back#earlier-subscription-runs-again
  it('earlier_subscription_running when it paid while the earlier one ran again, where the payment is recorded', async () => {
    const { scenario, wallet, outside, old, boundary } = await stopped();
    await suite.control.pass(boundary - 10 * MINUTE - suite.control.now().getTime());
    const checkout = await scenario.issue(wallet);
    await suite.during('outcomes_unknown', async () => {
      expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201 nothing_landed');
      await scenario.act('cancel', old, wallet);
      await outside.resume();
      await suite.control.pass(10 * MINUTE);
    });
    expect(await scenario.read(old)).toMatchObject({ status: 'unpaid', access: false });
    await suite.control.pass(MINUTE);
    const answer = await scenario.submit(checkout, wallet);
    expect(statusAndCode(answer)).toBe('201 earlier_subscription_running');
    expect(answer.body).toMatchObject({ subscription: { id: checkout.subscription.id, status: 'failed' } });
    expect((await scenario.attempts(checkout.subscription.id)).length).toBe(0);
    expect(await scenario.read(old)).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      access: true,
    });
  });
});

describe('coming back is refused', () => {
  // coming-back#earlier-comeback-landed
  it('409 comeback_landed on create and transaction when an earlier comeback landed', async () => {
    const { scenario, wallet } = await stopped();
    const first = await scenario.issue(wallet, { external_id: 'b' });
    await suite.control.advance(SECOND);
    const mine = await scenario.issue(wallet);
    await suite.during('outcomes_unknown', async () => {
      expect(statusAndCode(await scenario.submit(first, wallet))).toBe('201 nothing_landed');
      expect(statusAndCode(await scenario.create(wallet, { external_id: 'c' }))).toBe('409 comeback_landed');
      expect(statusAndCode(await scenario.fresh(mine.subscription.id))).toBe('409 comeback_landed');
    });
  });

  // coming-back#comeback-refusals
  it.each([
    ['409 subscription_terms_changed', (outside: OutsideActions) => outside.alterPrice()],
    ['409 subscription_stopped', (outside: OutsideActions) => outside.cancel()],
  ] as const)('%s on create and submit', async (code, act) => {
    const { scenario, wallet, outside } = await stopped();
    const mine = await scenario.issue(wallet);
    await act(outside);
    expect(statusAndCode(await scenario.create(wallet, { external_id: 'c' }))).toBe(code);
    expect(statusAndCode(await scenario.submit(mine, wallet))).toBe(code);
  });

  // coming-back#concurrent-comebacks
  it('409 comeback_in_flight while an earlier comeback may still land, with the time to wait', async () => {
    const { scenario, wallet } = await stopped();
    const first = await scenario.issue(wallet, { external_id: 'b' });
    await suite.during('blocks_stopped', async () => {
      expect(statusAndCode(await scenario.submit(first, wallet))).toBe('201 nothing_landed');
      const refused = await scenario.create(wallet, { external_id: 'c' });
      expect(statusAndCode(refused)).toBe('409 comeback_in_flight');
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(statusAndCode(await scenario.fresh(first.subscription.id))).toBe('409 comeback_in_flight');
    });
  });

  it.each([
    ['409 comeback_in_flight', 'sends_lost'],
    ['409 comeback_landed', 'outcomes_unknown'],
  ] as const)('%s on the submit of another checkout that was issued before', async (code, fault) => {
    const { scenario, wallet } = await stopped();
    const first = await scenario.issue(wallet, { external_id: 'b' });
    await suite.control.advance(SECOND);
    const mine = await scenario.issue(wallet);
    const answers: Answer[] = [];
    // The other comeback is waiting for the chain when this one is submitted.
    await suite.during(fault, async () => {
      suite.control.before('resolve', async () => {
        answers.push(await scenario.submit(mine, wallet));
      });
      await scenario.submit(first, wallet);
    });
    expect(answers.map(statusAndCode)).toEqual([code]);
  });

  // coming-back#comeback-near-a-boundary
  it('409 comeback_period_rolling from two minutes before a boundary of the grid until 30 seconds past it', async () => {
    const { scenario, wallet, boundary } = await stopped();
    await suite.control.pass(boundary - 2 * MINUTE - 20 * SECOND - suite.control.now().getTime());
    const mine = await scenario.issue(wallet);
    await suite.control.pass(boundary - MINUTE - 50 * SECOND - suite.control.now().getTime());
    const refused = await scenario.create(wallet, { external_id: 'c' });
    expect(statusAndCode(refused)).toBe('409 comeback_period_rolling');
    const left = (boundary + 30 * SECOND - suite.control.now().getTime()) / SECOND;
    expect(Math.abs(Number(refused.headers.get('retry-after')) - left)).toBeLessThanOrEqual(2);
    expect(statusAndCode(await scenario.fresh(mine.subscription.id))).toBe('409 comeback_period_rolling');
    expect(statusAndCode(await scenario.submit(mine, wallet))).toBe('409 comeback_period_rolling');
    await suite.control.pass(Number(refused.headers.get('retry-after')) * SECOND);
    expect(statusAndCode(await scenario.create(wallet, { external_id: 'c' }))).toBe('201');
  });
});

describe('a plan of the operator', () => {
  // checkout#checkout-of-an-operator-plan
  it('dev_not_running when the checkout landed cancelled, which fails it', async () => {
    const scenario = await suite.scenario({ plan: { operator_plan: true } });
    const wallet = await scenario.wallet();
    const outside = await scenario.outside(wallet);
    const checkout = await scenario.issue(wallet);
    suite.control.before('resolve', () => outside.cancel());
    const answer = await scenario.submit(checkout, wallet);
    expect(statusAndCode(answer)).toBe('201 dev_not_running');
    expect(answer.body).toMatchObject({ subscription: { status: 'failed' } });
  });
});

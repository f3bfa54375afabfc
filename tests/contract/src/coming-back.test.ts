import { describe, expect, it } from 'vitest';
import type { OutsideActions } from '@subrail/test-world';
import { DAY, MINUTE, PERIOD, PRICE, SECOND, short } from './scenario.js';
import type { Answer } from './client.js';
import { openSuite } from './suite.js';

const suite = openSuite('for each test');

/** A wallet whose subscription stopped out of retries, and whose money is back. */
async function stopped() {
  const scene = await suite.scene();
  const wallet = await scene.wallet(PRICE);
  const outside = await scene.outside(wallet);
  const old = await scene.subscribe(wallet);
  const { current_period_end } = await scene.read(old);
  await suite.control.pass(PERIOD + 4 * DAY);
  expect(await scene.read(old)).toMatchObject({ status: 'stopped', stop_reason: 'out_of_retries' });
  await scene.holds(wallet, 9n * PRICE);
  /** When the grid's period in progress ends. */
  const boundary = new Date(String(current_period_end)).getTime() + PERIOD;
  return { scene, wallet, outside, old, boundary };
}

describe('Coming back (coming-back#who-can-come-back)', () => {
  it('is a new subscription on the old grid with costs.rent at zero; the old one is superseded', async () => {
    const { scene, wallet, old, boundary } = await stopped();
    const handed = await scene.handed(wallet);
    expect(handed).toMatchObject({ costs: { rent: { subscription: '0', authority: null, total: '0' } } });
    const answer = await scene.submit(handed, wallet);
    const { id } = handed.subscription;
    expect(answer.body['subscription']).toMatchObject({
      id,
      status: 'active',
      access: true,
      current_period_end: new Date(boundary).toISOString(),
    });
    // A superseded id still answers, and is left out of lists.
    expect(await scene.read(old)).toMatchObject({
      status: 'superseded',
      access: false,
      payment_status: 'none',
      stop_reason: null,
    });
    const { body } = await scene.api.get('/subscriptions', { external_id: 'customer-1' });
    expect((body['data'] as { id: string }[]).map((one) => one.id)).toEqual([id]);
    expect(await scene.told(id)).toEqual(['created', 'access_granted']);
    expect((await scene.events(id))[0]?.detail).toMatchObject({ previous_id: old });
    expect(await scene.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({
      subscription_id: id,
    });
  });

  it('earlier_subscription_running: it paid while the earlier one ran again; the payment is recorded there', async () => {
    const { scene, wallet, outside, old, boundary } = await stopped();
    await suite.control.pass(boundary - 10 * MINUTE - suite.control.now().getTime());
    const handed = await scene.handed(wallet);
    await suite.during('landings_untold', async () => {
      expect(short(await scene.submit(handed, wallet))).toBe('201 nothing_landed');
      await scene.act('cancel', old, wallet);
      await outside.resume();
      await suite.control.pass(10 * MINUTE);
    });
    expect(await scene.read(old)).toMatchObject({ status: 'active', payment_status: 'paid' });
    await suite.control.pass(MINUTE);
    const answer = await scene.submit(handed, wallet);
    expect(short(answer)).toBe('201 earlier_subscription_running');
    expect(answer.body).toMatchObject({ subscription: { id: handed.subscription.id, status: 'failed' } });
    expect((await scene.attempts(handed.subscription.id)).length).toBe(0);
  });
});

describe('Coming back is refused', () => {
  it('409 comeback_landed: an earlier return landed, to create and to transaction', async () => {
    const { scene, wallet } = await stopped();
    const first = await scene.handed(wallet, { external_id: 'b' });
    await suite.control.move(SECOND);
    const mine = await scene.handed(wallet);
    await suite.during('landings_untold', async () => {
      expect(short(await scene.submit(first, wallet))).toBe('201 nothing_landed');
      expect(short(await scene.create(wallet, { external_id: 'c' }))).toBe('409 comeback_landed');
      expect(short(await scene.fresh(mine.subscription.id))).toBe('409 comeback_landed');
    });
  });

  it.each([
    ['409 subscription_terms_changed', (outside: OutsideActions) => outside.alterPrice()],
    ['409 subscription_stopped', (outside: OutsideActions) => outside.cancel()],
  ] as const)('%s: to create and to submit', async (code, act) => {
    const { scene, wallet, outside } = await stopped();
    const mine = await scene.handed(wallet);
    await act(outside);
    expect(short(await scene.create(wallet, { external_id: 'c' }))).toBe(code);
    expect(short(await scene.submit(mine, wallet))).toBe(code);
  });

  it('409 comeback_in_flight: an earlier return may still land, with the time to wait', async () => {
    const { scene, wallet } = await stopped();
    const first = await scene.handed(wallet, { external_id: 'b' });
    await suite.during('blocks_stand', async () => {
      expect(short(await scene.submit(first, wallet))).toBe('201 nothing_landed');
      const refused = await scene.create(wallet, { external_id: 'c' });
      expect(short(refused)).toBe('409 comeback_in_flight');
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(short(await scene.fresh(first.subscription.id))).toBe('409 comeback_in_flight');
    });
  });

  it.each([
    ['409 comeback_in_flight', 'sends_lost'],
    ['409 comeback_landed', 'landings_untold'],
  ] as const)('%s: to a submit that was handed out beside it', async (code, fault) => {
    const { scene, wallet } = await stopped();
    const first = await scene.handed(wallet, { external_id: 'b' });
    await suite.control.move(SECOND);
    const mine = await scene.handed(wallet);
    const answers: Answer[] = [];
    // The other return waits for the chain when this one is submitted.
    await suite.during(fault, async () => {
      suite.control.meanwhile('look', async () => {
        answers.push(await scene.submit(mine, wallet));
      });
      await scene.submit(first, wallet);
    });
    expect(answers.map(short)).toEqual([code]);
  });

  it('409 comeback_period_rolling: within two minutes of a boundary of the grid, until 30 seconds past it', async () => {
    const { scene, wallet, boundary } = await stopped();
    await suite.control.pass(boundary - 2 * MINUTE - 20 * SECOND - suite.control.now().getTime());
    const mine = await scene.handed(wallet);
    await suite.control.pass(boundary - MINUTE - 50 * SECOND - suite.control.now().getTime());
    const refused = await scene.create(wallet, { external_id: 'c' });
    expect(short(refused)).toBe('409 comeback_period_rolling');
    const left = (boundary + 30 * SECOND - suite.control.now().getTime()) / SECOND;
    expect(Math.abs(Number(refused.headers.get('retry-after')) - left)).toBeLessThanOrEqual(2);
    expect(short(await scene.fresh(mine.subscription.id))).toBe('409 comeback_period_rolling');
    expect(short(await scene.submit(mine, wallet))).toBe('409 comeback_period_rolling');
    await suite.control.pass(Number(refused.headers.get('retry-after')) * SECOND);
    expect(short(await scene.create(wallet, { external_id: 'c' }))).toBe('201');
  });
});

describe('A plan of the operator (checkout#order-of-create-refusals)', () => {
  it('dev_not_running: it landed cancelled; now failed', async () => {
    const scene = await suite.scene({ plan: { operator_plan: true } });
    const wallet = await scene.wallet();
    const outside = await scene.outside(wallet);
    const handed = await scene.handed(wallet);
    suite.control.meanwhile('look', () => outside.cancel());
    const answer = await scene.submit(handed, wallet);
    expect(short(answer)).toBe('201 dev_not_running');
    expect(answer.body).toMatchObject({ subscription: { status: 'failed' } });
  });
});

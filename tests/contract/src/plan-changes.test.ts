import { describe, expect, it } from 'vitest';
import type { Answer } from './client.js';
import { DAY, PRICE, statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

/** A wallet that pays for `pro`, and a plan to which it can change. */
async function subscribed() {
  const scenario = await suite.scenario();
  const wallet = await scenario.wallet(9n * PRICE);
  const old = await scenario.subscribe(wallet);
  const plan = await scenario.addPlan({ name: 'Lite', amount: String(PRICE / 5n) });
  const change = { plan, replaces: old, external_id: undefined };
  return { scenario, wallet, old, change };
}

// plan-changes#landed-change
describe('a change of plan', () => {
  it('ends the subscription that it replaces with plan_changed, and names the new one in its event', async () => {
    const { scenario, wallet, old, change } = await subscribed();
    const checkout = await scenario.issue(wallet, change);
    const { id } = checkout.subscription;
    expect((await scenario.submit(checkout, wallet)).body['subscription']).toMatchObject({
      id,
      status: 'active',
      access: true,
    });
    expect(await scenario.read(old)).toMatchObject({
      status: 'ended',
      end_reason: 'plan_changed',
      access: false,
    });
    expect((await scenario.events(id))[0]?.detail).toMatchObject({ previous_id: old });
    expect((await scenario.events(old)).at(-1)?.detail).toEqual({ replaced_by: id });
  });

  // plan-changes#what-can-be-replaced
  it('404 subscription_not_found, 409 wallet_mismatch and 409 not_replaceable on create', async () => {
    const { scenario, wallet, old, change } = await subscribed();
    const other = await scenario.wallet(PRICE);
    expect(statusAndCode(await scenario.create(wallet, { ...change, replaces: 'sub_none' }))).toBe(
      '404 subscription_not_found',
    );
    expect(statusAndCode(await scenario.create(other, change))).toBe('409 wallet_mismatch');
    await scenario.act('cancel', old, wallet);
    expect(statusAndCode(await scenario.create(wallet, change))).toBe('409 not_replaceable');
  });

  // plan-changes#what-can-be-replaced
  it('409 not_replaceable on transaction and submit once the old one is cancelled', async () => {
    const { scenario, wallet, old, change } = await subscribed();
    const checkout = await scenario.issue(wallet, change);
    await scenario.act('cancel', old, wallet);
    const path = `/subscriptions/${checkout.subscription.id}/transaction`;
    expect(statusAndCode(await scenario.api.post(path))).toBe('409 not_replaceable');
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('409 not_replaceable');
  });

  // plan-changes#one-change-at-a-time
  it('409 change_in_flight wherever something meets a change that may still land', async () => {
    const { scenario, wallet, old, change } = await subscribed();
    const third = await scenario.addPlan({ name: 'Third' });
    const [first, second] = [
      await scenario.issue(wallet, change),
      await scenario.issue(wallet, { ...change, plan: third }),
    ];
    const submitted: Answer[] = [];
    await suite.during('outcomes_unknown', async () => {
      // The other change is submitted while this one waits for the chain.
      suite.control.before('resolve', async () => {
        submitted.push(await scenario.submit(second, wallet));
      });
      expect(statusAndCode(await scenario.submit(first, wallet))).toBe('201 nothing_landed');
      expect(submitted.map(statusAndCode)).toEqual(['409 change_in_flight']);
      const path = `/subscriptions/${old}`;
      const answers = [
        await scenario.create(wallet, { ...change, plan: third }),
        await scenario.api.post(`/subscriptions/${second.subscription.id}/transaction`),
        await scenario.api.post(`${path}/cancel`),
        await scenario.api.post(`${path}/cancel/confirm`, { signature: '1'.repeat(64) }),
      ];
      expect(answers.map(statusAndCode)).toEqual(Array.from({ length: 4 }, () => '409 change_in_flight'));
    });
  });

  // plan-changes#one-change-at-a-time
  it('409 change_in_flight on a retry of a late one', async () => {
    const { scenario, wallet, old, change } = await subscribed();
    await scenario.setHolding(wallet, 0n);
    await suite.control.pass(7 * DAY);
    expect(await scenario.read(old)).toMatchObject({ status: 'unpaid' });
    await scenario.setHolding(wallet, 9n * PRICE);
    const checkout = await scenario.issue(wallet, change);
    await suite.during('outcomes_unknown', async () => {
      await scenario.submit(checkout, wallet);
      expect(statusAndCode(await scenario.api.post(`/subscriptions/${old}/retry`))).toBe(
        '409 change_in_flight',
      );
    });
  });
});

import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';

import {
  beforeSend,
  DAY,
  MINUTE,
  MONTH,
  openSubscriber,
  outcomesPending,
  outcomesUnknown,
  PRICE,
  sendsLost,
  signCheckout,
  statusAndCode,
  type ApiAnswer,
  type CustomerOptions,
  type IssuedCheckout,
  type SubscriptionState,
} from '@subrail/test-world';
import { expectInvariants } from '../invariants/expect-invariants.js';

/** A customer of the plan `pro` who can change to `basic`, which costs a quarter. */
async function openChanger(state: SubscriptionState = 'paid', options: CustomerOptions = {}) {
  const customer = await openSubscriber(state, { customer: 'customer-1', ...options });
  const { world, wallet, id: old } = customer;
  await world.publishPlan(world.projectId, 'basic', { amount: String(PRICE / 4n) });
  const change = (more: object = {}, call = world.call): Promise<ApiAnswer> =>
    call('POST', '/subscriptions', { plan: 'basic', wallet: wallet.address, replaces: old, ...more });
  const issue = async (more?: object): Promise<IssuedCheckout> => {
    const { status, body } = await change(more);
    if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
    return body as unknown as IssuedCheckout;
  };
  const stored = async (id: string) => {
    const found = await world.store.findSubscription(world.projectId as ProjectId, id as SubscriptionId);
    if (found === null) throw new Error(`There is no subscription ${id}.`);
    return found;
  };
  /** The access of the wallet to both plans, as one word for each. */
  const access = async () => {
    const { body } = await world.call('GET', `/access?wallet=${wallet.address}`);
    const plans = body['plans'] as readonly { plan: string; access: boolean }[];
    return plans
      .filter((one) => one.access)
      .map(({ plan }) => plan)
      .join(' ');
  };
  return { ...customer, old, change, issue, stored, access };
}

describe('a change of plan', () => {
  // plan-changes#one-transaction-for-a-change, plan-changes#landed-change, plan-changes#customer-of-a-change
  it('ends the old subscription and pays for the new one in one transaction', async () => {
    const { world, wallet, old, issue, submit, read, access, paidEnd } = await openChanger();
    const before = await world.holding(wallet);
    expect(await access()).toBe('pro');
    world.advance(3 * DAY);
    const checkout = await issue();
    const { body } = await submit(checkout);
    expect(body).toMatchObject({
      subscription: { status: 'active', external_id: 'customer-1', plan: 'basic' },
    });
    expect(await read(old)).toMatchObject({
      status: 'ended',
      end_reason: 'plan_changed',
      access: false,
      closable: false,
      closable_from: new Date(paidEnd).toISOString(),
    });
    expect(await access()).toBe('basic');
    expect(await world.holding(wallet)).toBe(before - PRICE / 4n);
    expect((await world.events()).slice(2)).toEqual(['created', 'access_granted', 'access_revoked', 'ended']);
    const ended = (await world.storedEvents()).at(-1);
    expect(ended?.detail).toEqual({ replaced_by: checkout.subscription.id });
    await expectInvariants(world, [old, checkout.subscription.id]);
    // plan-changes#figures-of-a-change
    const figures = world.billing.project(world.projectId).reports;
    expect((await figures.figures({ from: '2026-01-04' })).total).toMatchObject({
      ...{ new: 1, lost: 1, active: 1, churn_rate: 0 },
      lost_causes: [{ reason: 'plan_changed' }],
    });
    // Nothing is charged for the old one any more, and it is closed once its period is over.
    world.advance(MONTH);
    await world.work();
    expect((await read(old))['closable']).toBe(true);
    expect((await world.events()).at(-1)).toBe('renewed');
    expect(await world.holding(wallet)).toBe(before - PRICE / 2n);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  // plan-changes#change-in-the-terms
  it('says in its terms what ends, and that nothing of it comes back', async () => {
    const { issue, paidEnd } = await openChanger();
    const [day, time] = [
      new Date(paidEnd).toISOString().slice(0, 10),
      new Date(paidEnd).toISOString().slice(11, 16),
    ];
    expect((await issue()).terms.message).toContain(
      `\nEnds now: pro, paid until ${day} ${time} UTC, without a refund\n`,
    );
  });

  // plan-changes#one-transaction-for-a-change, plan-changes#change-in-the-terms
  it('collects no debt of a late subscription', async () => {
    const { world, wallet, old, issue, submit, access } = await openChanger('late');
    await world.give(wallet, PRICE / 4n);
    const checkout = await issue();
    expect(checkout.terms.message).toContain('\nEnds now: pro\n');
    expect((await submit(checkout)).body).toMatchObject({ subscription: { status: 'active' } });
    expect(await world.holding(wallet)).toBe(0n);
    expect(await access()).toBe('basic');
    world.advance(20 * DAY);
    await world.work();
    await expectInvariants(world, [old, checkout.subscription.id]);
  });
});

// plan-changes#what-can-be-replaced, plan-changes#customer-of-a-change
describe('a change is refused', () => {
  it.each([
    ['404 subscription_not_found', { replaces: 'sub_unknown' }],
    ['409 already_subscribed', { plan: 'pro' }],
    ['400 invalid_request', { external_id: 'customer-2' }],
    ['400 invalid_request', { email: 'other@example.com' }],
  ])('%s for %j', async (code, more) => {
    const { change } = await openChanger();
    expect(statusAndCode(await change(more))).toBe(code);
  });

  it('wallet_mismatch when another wallet pays', async () => {
    const { world, change } = await openChanger();
    const other = await world.wallet(PRICE);
    expect(statusAndCode(await change({ wallet: other.address }))).toBe('409 wallet_mismatch');
  });

  it('not_replaceable for a stopped subscription', async () => {
    const { change } = await openChanger('stopped');
    expect(statusAndCode(await change())).toBe('409 not_replaceable');
  });

  it('not_replaceable once the chain shows a cancellation, also on transaction and submit', async () => {
    const { outside, change, issue, transaction, submit } = await openChanger();
    const checkout = await issue();
    await outside.cancel();
    expect(statusAndCode(await change())).toBe('409 not_replaceable');
    expect(statusAndCode(await transaction(checkout))).toBe('409 not_replaceable');
    expect(statusAndCode(await submit(checkout))).toBe('409 not_replaceable');
  });

  // checkout#order-of-create-refusals
  it('not_replaceable before what the wallet has on the new plan', async () => {
    const { outside, change, issue, submit } = await openChanger();
    await submit(await issue({ replaces: undefined }));
    expect(statusAndCode(await change())).toBe('409 already_subscribed');
    await outside.cancel();
    expect(statusAndCode(await change())).toBe('409 not_replaceable');
  });

  it('not_replaceable when its account is gone', async () => {
    const { outside, change, issue, submit } = await openChanger();
    const checkout = await issue();
    await outside.remove('subscription');
    expect(statusAndCode(await change())).toBe('409 not_replaceable');
    expect(statusAndCode(await submit(checkout))).toBe('409 not_replaceable');
  });

  it('subscription_stopped when the wallet could come back to the new plan', async () => {
    const { world, wallet, old, change } = await openChanger();
    const { body } = await change({ replaces: undefined });
    const basic = body as unknown as IssuedCheckout;
    await world.call(
      'POST',
      `/subscriptions/${basic.subscription.id}/submit`,
      await signCheckout(wallet, basic),
    );
    await world.take(wallet, await world.holding(wallet));
    const { status } = await world.call('GET', `/subscriptions/${old}`);
    expect(status).toBe(200);
    for (let day = 0; day < 40; day++) {
      if (day === 29) await world.give(wallet, PRICE);
      world.advance(DAY);
      await world.work();
    }
    const found = (await world.call('GET', `/subscriptions/${basic.subscription.id}`)).body;
    expect(found['status']).toBe('stopped');
    await world.give(wallet, 10n * PRICE);
    expect(statusAndCode(await change())).toBe('409 subscription_stopped');
  });

  // plan-changes#change-in-the-terms
  it.each([1, 720])('terms_changed when one of %i hours was renewed since', async (periodHours) => {
    const { world, issue, submit, paidEnd } = await openChanger('paid', { periodHours });
    world.advance(paidEnd - world.now().getTime() - 10_000);
    const checkout = await issue();
    world.advance(11_000);
    await world.work();
    expect((await world.events()).at(-1)).toBe('renewed');
    expect(statusAndCode(await submit(checkout))).toBe('409 terms_changed');
  });
});

// plan-changes#one-change-at-a-time
describe('while a change may still land', () => {
  it('nothing is charged for the old subscription, and nothing else is done with it', async () => {
    const { world, wallet, old, change, issue, submit, paidEnd, access, stored } = await openChanger();
    await world.publishPlan(world.projectId, 'other');
    world.advance(paidEnd - world.now().getTime() - 30_000);
    const [checkout, other] = [await issue(), await issue({ plan: 'other' })];
    const before = await world.holding(wallet);
    world.injectFaults(sendsLost, outcomesPending);
    expect(statusAndCode(await submit(checkout))).toBe('201 nothing_landed');
    // The submit waited past the renewal.
    expect(world.now().getTime()).toBeGreaterThan(paidEnd);
    await world.billing.worker.charge();
    expect(await world.holding(wallet)).toBe(before);
    expect(await access()).toBe('pro');
    expect((await stored(old)).replacedById).toBe(checkout.subscription.id);
    const refused = [
      await change({ plan: 'other' }),
      await world.call('POST', `/subscriptions/${old}/cancel`),
      await world.call('POST', `/subscriptions/${other.subscription.id}/transaction`),
    ];
    expect(refused.map(statusAndCode)).toEqual(Array.from({ length: 3 }, () => '409 change_in_flight'));
    // What the other one would end is not paid any more.
    expect(statusAndCode(await submit(other))).toBe('409 terms_changed');
    // plan-changes#change-that-did-not-land
    world.clearFaults();
    // Two reads that do not find a transaction make it lost.
    for (const _ of [1, 2]) {
      world.advance(2 * MINUTE);
      await world.work();
    }
    expect((await stored(old)).replacedById).toBeNull();
    expect((await world.events()).at(-1)).toBe('renewed');
    expect(await world.holding(wallet)).toBe(before - PRICE);
    await expectInvariants(world, [old, checkout.subscription.id, other.subscription.id]);
  });

  it('a late one is not retried by hand', async () => {
    const { world, wallet, old, issue, submit } = await openChanger('late');
    await world.give(wallet, 2n * PRICE);
    const checkout = await issue();
    world.injectFaults(outcomesUnknown);
    await submit(checkout);
    expect(statusAndCode(await world.call('POST', `/subscriptions/${old}/retry`))).toBe(
      '409 change_in_flight',
    );
    world.clearFaults();
    await world.work();
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('a submit waits for a charge of the old subscription', async () => {
    const { world, old, issue, submit, paidEnd } = await openChanger();
    world.advance(paidEnd - world.now().getTime() + 1_000);
    const checkout = await issue();
    let answer = '';
    world.injectFaults(
      beforeSend(async () => {
        world.clearFaults();
        answer = statusAndCode(await submit(checkout));
      }),
    );
    await world.work();
    expect(answer).toBe('409 subscription_changed');
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('of a change and a charge that are stored at the same moment one is sent', async () => {
    const { world, wallet, old, issue, paidEnd } = await openChanger();
    world.advance(paidEnd - world.now().getTime() + 1_000);
    const checkout = await issue();
    const body = await signCheckout(wallet, checkout);
    const before = await world.holding(wallet);
    let raced = false;
    const host = world.host({
      ...world.store,
      async commit(changes, figures) {
        if (!raced) {
          raced = true;
          await world.billing.worker.charge();
        }
        return world.store.commit(changes, figures);
      },
    });
    const answer = await host.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, body);
    expect(['409 subscription_changed', '409 terms_changed']).toContain(statusAndCode(answer));
    await world.work();
    expect(await world.holding(wallet)).toBe(before - PRICE);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });
});

describe('a change that landed unseen', () => {
  // plan-changes#landed-change
  it('is settled by the worker after the submit died, and the old one is not told as cancelled', async () => {
    const { world, wallet, old, issue, submit, access } = await openChanger();
    const checkout = await issue();
    world.injectFaults(outcomesUnknown);
    expect(statusAndCode(await submit(checkout))).toBe('201 nothing_landed');
    expect(await access()).toBe('pro');
    // The wallet asks whether the cancellation that the chain shows is one.
    const cancel = await world.call('POST', `/subscriptions/${old}/cancel/confirm`, {
      signature: '1'.repeat(64),
    });
    expect(statusAndCode(cancel)).toBe('409 change_in_flight');
    world.clearFaults();
    await world.work();
    expect(await access()).toBe('basic');
    expect((await world.events()).slice(2)).toEqual(['created', 'access_granted', 'access_revoked', 'ended']);
    expect(await world.holding(wallet)).toBe(10n * PRICE - PRICE - PRICE / 4n);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  // plan-changes#landed-change
  it('is settled together with the old one that woke meanwhile, without a conflict', async () => {
    const { world, old, issue, submit, read, paidEnd } = await openChanger();
    world.advance(paidEnd - world.now().getTime() - 30_000);
    const checkout = await issue();
    world.injectFaults(outcomesUnknown);
    await submit(checkout);
    world.clearFaults();
    await world.work();
    expect(await read(old)).toMatchObject({ status: 'ended', end_reason: 'plan_changed' });
    expect(world.log.entries.filter(({ level }) => level === 'warn')).toEqual([]);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  // plan-changes#resumed-before-it-was-read, cancel-resume-close#closable-flag-and-date
  it('is cancelled anew when its wallet resumed the old one before the landing was read', async () => {
    const { world, old, issue, submit, outside, cancel, read, paidEnd } = await openChanger();
    const checkout = await issue();
    world.injectFaults(outcomesUnknown);
    await submit(checkout);
    await outside.resume();
    world.clearFaults();
    await world.work();
    const ended = { status: 'ended', end_reason: 'plan_changed', access: false, closable: false };
    expect(await read(old)).toMatchObject({ ...ended, closable_from: null });
    const raised = await world.events();
    expect((await cancel(old)).body).toMatchObject({
      subscription: { ...ended, closable_from: new Date(paidEnd).toISOString() },
    });
    expect(await world.events()).toEqual(raised);
    expect(statusAndCode(await world.call('POST', `/subscriptions/${old}/cancel`))).toBe(
      '409 subscription_not_active',
    );
    world.advance(MONTH);
    await world.work();
    expect((await read(old))['closable']).toBe(true);
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  // plan-changes#landed-on-another-account
  it('frees the old subscription when the account is not the expected one', async () => {
    const { world, wallet, old, issue, submit, read } = await openChanger();
    const checkout = await issue();
    world.injectFaults(outcomesUnknown);
    await submit(checkout);
    await (await world.outside(wallet, 'basic')).alterPrice();
    world.clearFaults();
    await world.work();
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'failed' });
    world.advance(DAY);
    await world.work();
    expect(await read(old)).toMatchObject({ status: 'cancelled', access: true });
  });
});

import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, PERIOD, PRICE, SECOND, statusAndCode } from './scenario.js';
import type { Body } from './client.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

describe('GET /v1/access', () => {
  // access#one-customer-identifier
  it('takes exactly one of wallet, external_id and email', async () => {
    const { api } = await suite.scenario();
    for (const query of [{}, { plan: 'pro' }, { external_id: 'a', email: 'a@b.example' }]) {
      const answer = await api.get('/access', query);
      expect(statusAndCode(answer)).toBe('400 invalid_request');
      expect(answer.body['message']).toBeTypeOf('string');
    }
  });

  // access#customer-with-nothing
  it('answers 200 with access false and status none for a customer who never subscribed', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const nothing = {
      wallet: wallet.address,
      plan: 'pro',
      subscription_id: null,
      access: false,
      status: 'none',
      paused: false,
      end_reason: null,
      late_reason: null,
      stop_reason: null,
      payment_status: 'none',
      blocked_since: null,
      blocked_reason: null,
      subscribed_since: null,
      first_subscribed_at: null,
      current_period_end: null,
      cancelled_at: null,
      access_until: null,
      closable: false,
      closable_from: null,
      next_charge_at: null,
      next_retry_at: null,
      retry_deadline: null,
      revalidate_after: 10,
    };
    expect(await scenario.access({ wallet: wallet.address, plan: 'pro' })).toEqual(nothing);
    expect(await scenario.access({ external_id: 'nobody', plan: 'pro' })).toEqual({
      ...nothing,
      wallet: null,
    });
    expect(await scenario.access({ email: 'no@body.example', plan: 'pro' })).toEqual({
      ...nothing,
      wallet: null,
    });
    expect(await scenario.access({ external_id: 'nobody', plan: 'pro', attempts: '1' })).toMatchObject({
      attempts: [],
    });
    expect(await scenario.access({ external_id: 'nobody' })).toEqual({ plans: [], revalidate_after: 10 });
  });

  // access#unknown-plan-slug
  it('answers 404 for an unknown slug, and never for an unknown customer', async () => {
    const scenario = await suite.scenario();
    await scenario.addPlan({ name: 'Draft' }, 'draft');
    for (const plan of ['nothing', 'draft']) {
      expect(statusAndCode(await scenario.api.get('/access', { external_id: 'a', plan }))).toBe(
        '404 plan_not_found',
      );
    }
  });

  // access#access-without-a-plan, lists#lists-without-pages
  it('answers one object when a plan is given, and otherwise one for each plan with a subscription of the customer, sorted by slug', async () => {
    const scenario = await suite.scenario();
    await scenario.addPlan({ name: 'Atlas' });
    await scenario.addPlan({ name: 'Unused' });
    const wallet = await scenario.wallet();
    const pro = await scenario.subscribe(wallet);
    const atlas = await scenario.subscribe(wallet, { plan: 'atlas' });
    const all = await scenario.access({ external_id: 'customer-1' });
    expect((all['plans'] as Body[]).map(({ plan, subscription_id }) => [plan, subscription_id])).toEqual([
      ['atlas', atlas],
      ['pro', pro],
    ]);
    expect((all['plans'] as Body[])[1]).toEqual(
      await scenario.access({ external_id: 'customer-1', plan: 'pro' }),
    );
  });

  it('answers the same by wallet, by external_id and by email', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    await scenario.subscribe(wallet, { external_id: 'customer-1', email: 'ada@example.org' });
    const byWallet = await scenario.access({ wallet: wallet.address, plan: 'pro' });
    expect(byWallet).toMatchObject({ access: true, wallet: wallet.address });
    expect(await scenario.access({ external_id: 'customer-1', plan: 'pro' })).toEqual(byWallet);
    expect(await scenario.access({ email: 'ada@example.org', plan: 'pro' })).toEqual(byWallet);
  });

  // access#unknown-plan-slug
  it('still answers for the subscribers of a closed plan', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    await scenario.subscribe(wallet);
    await suite.control.retirePlan(scenario.projectId, 'pro', 'closed');
    expect(await scenario.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({ access: true });
  });

  // access#which-subscription-answers
  it('answers with a checkout only when nothing else exists, and never with an expired one', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { subscription } = await scenario.issue(wallet);
    const query = { wallet: wallet.address, plan: 'pro' };
    expect(await scenario.access(query)).toMatchObject({
      status: 'pending',
      subscription_id: subscription.id,
    });
    await suite.control.pass(HOUR);
    expect(await scenario.access(query)).toMatchObject({ status: 'none', subscription_id: null });
    const id = await scenario.subscribe(wallet);
    expect(await scenario.access(query)).toMatchObject({ status: 'active', subscription_id: id });
  });

  // access#which-subscription-answers
  it('prefers a subscription that grants access to a later one that does not', async () => {
    const scenario = await suite.scenario();
    const [paying, late] = [await scenario.wallet(), await scenario.wallet(PRICE)];
    const first = await scenario.subscribe(paying);
    await suite.control.pass(HOUR);
    const second = await scenario.subscribe(late);
    const query = { external_id: 'customer-1', plan: 'pro' };
    expect(await scenario.access(query)).toMatchObject({ subscription_id: second });
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await scenario.read(second)).toMatchObject({ status: 'stopped' });
    expect(await scenario.access(query)).toMatchObject({ subscription_id: first, access: true });
  });

  // access#subscribed-since, coming-back#ended-stays-ended
  it('answers the first payment of the subscription and the first payment ever on the plan', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const first = await scenario.subscribe(wallet);
    const began = (await scenario.read(first))['confirmed_at'];
    await scenario.act('cancel', first, wallet);
    await suite.control.pass(PERIOD);
    await scenario.act('close', first, wallet);
    const second = await scenario.subscribe(wallet);
    expect(await scenario.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({
      subscription_id: second,
      subscribed_since: (await scenario.read(second))['confirmed_at'],
      first_subscribed_at: began,
    });
    expect(await scenario.read(first)).toMatchObject({
      status: 'ended',
      end_reason: 'closed',
      access: false,
    });
  });

  // access#subscribed-since, access#cancelled-at
  it('answers when the cancellation was confirmed, and null after a resume', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const query = { wallet: wallet.address, plan: 'pro' };
    expect(await scenario.access(query)).toMatchObject({ cancelled_at: null });
    await scenario.act('cancel', id, wallet);
    const cancelled = (await scenario.events(id)).at(-1);
    expect(await scenario.access(query)).toMatchObject({
      status: 'cancelled',
      cancelled_at: cancelled?.created_at,
    });
    await scenario.act('resume', id, wallet);
    expect(await scenario.access(query)).toMatchObject({ status: 'active', cancelled_at: null });
  });

  // access#recent-attempts
  it('answers the last five charges at most, newest first, in both forms', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await (await scenario.outside(wallet)).freeze('owner');
    await suite.control.pass(PERIOD + 50 * MINUTE);
    const all = [...(await scenario.attempts(id))].reverse();
    expect(all.length).toBeGreaterThan(5);
    const shown = all.slice(0, 5).map(({ outcome, reason, amount, attempted_at, signature }) => {
      return { outcome, reason, amount, attempted_at, signature };
    });
    for (const attempts of ['true', '1']) {
      expect((await scenario.access({ wallet: wallet.address, plan: 'pro', attempts }))['attempts']).toEqual(
        shown,
      );
    }
    const list = await scenario.access({ wallet: wallet.address, attempts: 'true' });
    expect((list['plans'] as Body[])[0]?.['attempts']).toEqual(shown);
    for (const attempts of ['false', '0']) {
      expect(await scenario.access({ wallet: wallet.address, plan: 'pro', attempts })).not.toHaveProperty(
        'attempts',
      );
    }
    const refused = await scenario.api.get('/access', { wallet: wallet.address, attempts: 'yes' });
    expect(statusAndCode(refused)).toBe('400 invalid_request');
  });

  // access#cache-hint
  it('lets an answer be cached for 10 to 300 seconds, and never past its next change', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const query = { wallet: wallet.address, plan: 'pro' };
    expect(await scenario.access(query)).toMatchObject({ revalidate_after: 300 });
    expect(await scenario.access({ wallet: wallet.address })).toMatchObject({ revalidate_after: 300 });
    await scenario.act('cancel', id, wallet);
    const until = new Date(String((await scenario.read(id))['access_until'])).getTime();
    await suite.control.pass(until - suite.control.now().getTime() - 100 * SECOND);
    const left = Math.floor((until - suite.control.now().getTime()) / SECOND);
    expect(left).toBeGreaterThan(10);
    expect(await scenario.access(query)).toMatchObject({ access: true, revalidate_after: left });
    await suite.control.pass(left * SECOND);
    expect(await scenario.access(query)).toMatchObject({ access: false, revalidate_after: 10 });
  });

  // access#computed-at-the-instant-asked, access#access-stops-at-the-plan-end
  it("answers for the instant of the call: access is false from the plan's end on, while the status still reads active", async () => {
    const scenario = await suite.scenario({ endsAfter: PERIOD + 6 * MINUTE });
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    suite.control.fault('worker_stopped', true);
    await suite.control.pass(PERIOD + 6 * MINUTE);
    expect(await scenario.read(id)).toMatchObject({ status: 'active', access: false, access_until: null });
    suite.control.fault('worker_stopped', false);
    await suite.control.pass(5 * SECOND);
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'plan_ended',
      access: false,
    });
  });
});

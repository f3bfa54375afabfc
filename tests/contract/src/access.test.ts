import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, PERIOD, PRICE, SECOND, short } from './scenario.js';
import type { Body } from './client.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('GET /v1/access', () => {
  it('names the customer by exactly one of wallet, external_id and email (access#one-customer-identifier)', async () => {
    const { api } = await suite.scene();
    for (const query of [{}, { plan: 'pro' }, { external_id: 'a', email: 'a@b.example' }]) {
      const answer = await api.get('/access', query);
      expect(short(answer)).toBe('400 invalid_request');
      expect(answer.body['message']).toHaveLength(1);
    }
  });

  it('answers 200 for a customer who never subscribed: access false, status none (access#customer-with-nothing)', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
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
    expect(await scene.access({ wallet: wallet.address, plan: 'pro' })).toEqual(nothing);
    expect(await scene.access({ external_id: 'nobody', plan: 'pro' })).toEqual({ ...nothing, wallet: null });
    expect(await scene.access({ email: 'no@body.example', plan: 'pro' })).toEqual({
      ...nothing,
      wallet: null,
    });
    expect(await scene.access({ external_id: 'nobody', plan: 'pro', attempts: '1' })).toMatchObject({
      attempts: [],
    });
    expect(await scene.access({ external_id: 'nobody' })).toEqual({ plans: [], revalidate_after: 10 });
  });

  it('a 404 concerns an unknown slug, never the customer', async () => {
    const scene = await suite.scene();
    await scene.addPlan({ name: 'Draft' }, 'draft');
    for (const plan of ['nothing', 'draft']) {
      expect(short(await scene.api.get('/access', { external_id: 'a', plan }))).toBe('404 plan_not_found');
    }
  });

  it('with plan answers one object, without every plan the customer has anything on, by slug (access#access-without-a-plan)', async () => {
    const scene = await suite.scene();
    await scene.addPlan({ name: 'Atlas' });
    await scene.addPlan({ name: 'Unused' });
    const wallet = await scene.wallet();
    const pro = await scene.subscribe(wallet);
    const atlas = await scene.subscribe(wallet, { plan: 'atlas' });
    const all = await scene.access({ external_id: 'customer-1' });
    expect((all['plans'] as Body[]).map(({ plan, subscription_id }) => [plan, subscription_id])).toEqual([
      ['atlas', atlas],
      ['pro', pro],
    ]);
    expect((all['plans'] as Body[])[1]).toEqual(
      await scene.access({ external_id: 'customer-1', plan: 'pro' }),
    );
  });

  it('tells the same by wallet, by external_id and by email', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    await scene.subscribe(wallet, { external_id: 'customer-1', email: 'ada@example.org' });
    const byWallet = await scene.access({ wallet: wallet.address, plan: 'pro' });
    expect(byWallet).toMatchObject({ access: true, wallet: wallet.address });
    expect(await scene.access({ external_id: 'customer-1', plan: 'pro' })).toEqual(byWallet);
    expect(await scene.access({ email: 'ada@example.org', plan: 'pro' })).toEqual(byWallet);
  });

  it('a plan that was closed still tells what its subscribers have', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    await scene.subscribe(wallet);
    await suite.control.retirePlan(scene.projectId, 'pro', 'closed');
    expect(await scene.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({ access: true });
  });

  it('access#which-subscription-answers: a checkout answers only when nothing else exists, and an expired one never', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const { subscription } = await scene.handed(wallet);
    const asked = { wallet: wallet.address, plan: 'pro' };
    expect(await scene.access(asked)).toMatchObject({ status: 'pending', subscription_id: subscription.id });
    await suite.control.pass(HOUR);
    expect(await scene.access(asked)).toMatchObject({ status: 'none', subscription_id: null });
    const id = await scene.subscribe(wallet);
    expect(await scene.access(asked)).toMatchObject({ status: 'active', subscription_id: id });
  });

  it('access#which-subscription-answers: one that grants access answers before a later one that does not', async () => {
    const scene = await suite.scene();
    const [paying, late] = [await scene.wallet(), await scene.wallet(PRICE)];
    const first = await scene.subscribe(paying);
    await suite.control.pass(HOUR);
    const second = await scene.subscribe(late);
    const asked = { external_id: 'customer-1', plan: 'pro' };
    expect(await scene.access(asked)).toMatchObject({ subscription_id: second });
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await scene.read(second)).toMatchObject({ status: 'stopped' });
    expect(await scene.access(asked)).toMatchObject({ subscription_id: first, access: true });
  });

  it("access#subscribed-since: subscribed_since is this one's first payment, first_subscribed_at the first ever on the plan", async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const first = await scene.subscribe(wallet);
    const began = (await scene.read(first))['confirmed_at'];
    await scene.act('cancel', first, wallet);
    await suite.control.pass(PERIOD);
    await scene.act('close', first, wallet);
    const second = await scene.subscribe(wallet);
    expect(await scene.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({
      subscription_id: second,
      subscribed_since: (await scene.read(second))['confirmed_at'],
      first_subscribed_at: began,
    });
  });

  it('access#subscribed-since: cancelled_at is when the cancellation was confirmed, null again after a resume', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    const asked = { wallet: wallet.address, plan: 'pro' };
    expect(await scene.access(asked)).toMatchObject({ cancelled_at: null });
    await scene.act('cancel', id, wallet);
    const cancelled = (await scene.events(id)).at(-1);
    expect(await scene.access(asked)).toMatchObject({
      status: 'cancelled',
      cancelled_at: cancelled?.created_at,
    });
    await scene.act('resume', id, wallet);
    expect(await scene.access(asked)).toMatchObject({ status: 'active', cancelled_at: null });
  });

  it('access#recent-attempts: attempts shows the last charges, five at most, newest first, and on the list form too', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    await (await scene.outside(wallet)).freeze('owner');
    await suite.control.pass(PERIOD + 50 * MINUTE);
    const all = [...(await scene.attempts(id))].reverse();
    expect(all.length).toBeGreaterThan(5);
    const shown = all.slice(0, 5).map(({ outcome, reason, amount, attempted_at, signature }) => {
      return { outcome, reason, amount, attempted_at, signature };
    });
    for (const attempts of ['true', '1']) {
      expect((await scene.access({ wallet: wallet.address, plan: 'pro', attempts }))['attempts']).toEqual(
        shown,
      );
    }
    const list = await scene.access({ wallet: wallet.address, attempts: 'true' });
    expect((list['plans'] as Body[])[0]?.['attempts']).toEqual(shown);
    for (const attempts of ['false', '0']) {
      expect(await scene.access({ wallet: wallet.address, plan: 'pro', attempts })).not.toHaveProperty(
        'attempts',
      );
    }
    const refused = await scene.api.get('/access', { wallet: wallet.address, attempts: 'yes' });
    expect(short(refused)).toBe('400 invalid_request');
  });

  it('access#cache-hint: revalidate_after is 10 to 300 seconds, and no longer than the answer stands', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    const asked = { wallet: wallet.address, plan: 'pro' };
    expect(await scene.access(asked)).toMatchObject({ revalidate_after: 300 });
    expect(await scene.access({ wallet: wallet.address })).toMatchObject({ revalidate_after: 300 });
    await scene.act('cancel', id, wallet);
    const until = new Date(String((await scene.read(id))['access_until'])).getTime();
    await suite.control.pass(until - suite.control.now().getTime() - 100 * SECOND);
    const left = Math.floor((until - suite.control.now().getTime()) / SECOND);
    expect(left).toBeGreaterThan(10);
    expect(await scene.access(asked)).toMatchObject({ access: true, revalidate_after: left });
    await suite.control.pass(left * SECOND);
    expect(await scene.access(asked)).toMatchObject({ access: false, revalidate_after: 10 });
  });

  it("access#computed-at-the-instant-asked: access is that of the instant asked: false from the plan's end on, while the status still reads active", async () => {
    const scene = await suite.scene({ endsAfter: PERIOD + 6 * MINUTE });
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    suite.control.fault('worker_stopped', true);
    await suite.control.pass(PERIOD + 6 * MINUTE);
    expect(await scene.read(id)).toMatchObject({ status: 'active', access: false, access_until: null });
    suite.control.fault('worker_stopped', false);
    await suite.control.pass(5 * SECOND);
    expect(await scene.read(id)).toMatchObject({ status: 'ended', end_reason: 'plan_ended', access: false });
  });
});

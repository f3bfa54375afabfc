import { describe, expect, it } from 'vitest';

import { createHandler } from '../../../http/handler.js';
import { aCheckout, aPlan, anAddress, anAttempt } from '../../../testing/records.js';
import { callerOf, serviceFixture } from '../../../http/tests/fixtures.js';
import { PAID_UNTIL, PRO, WALLET, accessChecks, at, paidUp, stopped } from './fixtures.js';
import { HOUR } from '../../../testing/units-of-time.js';

// access#one-customer-identifier
describe('the customer of an access check', () => {
  // requests#customer-identifier-refusal
  it.each([
    ['no customer', 'plan=pro'],
    ['two customers', `wallet=${WALLET}&email=a@b.co`],
    ['three customers', `wallet=${WALLET}&email=a@b.co&external_id=7`],
  ])('%s is refused with one sentence', async (_, query) => {
    const { body } = await accessChecks({}).call(`/v1/access?${query}`);
    expect(body).toMatchObject({
      code: 'invalid_request',
      message: 'Name the customer by exactly one of wallet, external_id and email.',
    });
  });

  it.each([
    ['wallet', 'wallet=abc'],
    ['external_id', 'external_id=a%C2%85b'],
    ['email', 'email=nobody'],
    ['plan', `wallet=${WALLET}&plan=`],
    ['attempts', `wallet=${WALLET}&attempts=yes`],
    ['attempts', `wallet=${WALLET}&attempts=`],
  ])('a bad %s is refused with a sentence that names it: %s', async (field, query) => {
    const { status, body } = await accessChecks({}).call(`/v1/access?${query}`);
    expect(status).toBe(400);
    expect((body['message'] as string[])[0]).toMatch(new RegExp(`^"${field}" must `));
  });

  // requests#customer-identifier-format
  it('trims external_id and email, and lowercases email', async () => {
    const customers: unknown[] = [];
    const { billing } = serviceFixture({
      store: {
        listForAccess: async (_, customer) => {
          customers.push(customer);
          return [];
        },
      },
    });
    const call = callerOf(createHandler(billing));
    await call('/v1/access?email=%20Ann@Example.COM%20');
    await call('/v1/access?external_id=%20Cus%207%20');
    expect(customers).toEqual([
      { by: 'email', value: 'ann@example.com' },
      { by: 'external_id', value: 'Cus 7' },
    ]);
  });

  // access#unknown-plan-slug
  it('answers 404 to an unknown slug, never to an unknown customer', async () => {
    const { call } = accessChecks({ plans: [PRO, aPlan({ slug: 'draft', status: 'draft' })] });
    for (const slug of ['none', 'draft', 'No%20Slug']) {
      const { body } = await call(`/v1/access?wallet=${WALLET}&plan=${slug}`);
      expect(body, slug).toMatchObject({ statusCode: 404, code: 'plan_not_found' });
    }
  });

  // access#unknown-plan-slug
  it('answers for a closed plan too, whose subscribers can still get their deposits back', async () => {
    const closed = aPlan({ slug: 'closed', status: 'closed' });
    const ended = stopped({ planId: closed.id, status: 'ended', endReason: 'plan_ended', stopReason: null });
    const { answer } = accessChecks({ plans: [closed], subscriptions: [ended] });
    expect(await answer(`wallet=${WALLET}&plan=closed`)).toMatchObject({ status: 'ended', closable: true });
  });
});

// access#customer-with-nothing
describe('a customer with nothing on the plan', () => {
  const nothing = {
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

  // access#customer-with-nothing
  it('has status none, with the wallet of the query', async () => {
    expect(await accessChecks({}).answer()).toEqual({ wallet: WALLET, ...nothing });
  });

  // access#customer-with-nothing
  it('has status none and no wallet when named by another identifier', async () => {
    const { answer } = accessChecks({});
    expect(await answer('external_id=7&plan=pro')).toEqual({ wallet: null, ...nothing });
    expect(await answer('email=a@b.co&plan=pro')).toEqual({ wallet: null, ...nothing });
  });

  // access#recent-attempts
  it('has an empty list of attempts', async () => {
    expect((await accessChecks({}).answer(`wallet=${WALLET}&plan=pro&attempts=true`)).attempts).toEqual([]);
  });

  // access#customer-with-nothing
  it('may have an expired checkout and a superseded subscription', async () => {
    const subscriptions = [
      aCheckout({ planId: PRO.id, status: 'expired' }),
      stopped({ status: 'superseded', stopReason: null }),
    ];
    expect((await accessChecks({ subscriptions }).answer()).status).toBe('none');
    expect((await accessChecks({ subscriptions }).list()).plans).toEqual([]);
  });
});

describe('an access answer', () => {
  it('shows a paid up subscription in full', async () => {
    const subscription = paidUp();
    expect(await accessChecks({ subscriptions: [subscription] }).answer()).toEqual({
      wallet: WALLET,
      plan: 'pro',
      subscription_id: subscription.id,
      access: true,
      status: 'active',
      paused: false,
      end_reason: null,
      late_reason: null,
      stop_reason: null,
      payment_status: 'paid',
      blocked_since: null,
      blocked_reason: null,
      subscribed_since: '2026-10-01T00:01:00.000Z',
      first_subscribed_at: '2026-10-01T00:01:00.000Z',
      current_period_end: '2026-10-31T00:00:00.000Z',
      cancelled_at: null,
      access_until: '2026-10-31T00:00:00.000Z',
      closable: false,
      closable_from: null,
      next_charge_at: '2026-10-31T00:00:00.000Z',
      next_retry_at: null,
      retry_deadline: null,
      revalidate_after: 300,
    });
  });

  // access#subscribed-since
  it('shows the date of the confirmed cancellation in cancelled_at', async () => {
    const subscription = paidUp({
      status: 'cancelled',
      nextTryAt: null,
      cancellation: {
        confirmedAt: at('2026-10-02T07:00:00.000Z'),
        expiresAt: PAID_UNTIL,
        behind: false,
        lapse: null,
      },
    });
    expect(await accessChecks({ subscriptions: [subscription] }).answer()).toMatchObject({
      access: true,
      status: 'cancelled',
      cancelled_at: '2026-10-02T07:00:00.000Z',
      closable_from: '2026-10-31T00:00:00.000Z',
    });
  });

  // access#subscribed-since
  it('keeps first_subscribed_at over a comeback, and separately for each customer of a wallet', async () => {
    const first = stopped({
      status: 'superseded',
      stopReason: null,
      confirmedAt: at('2026-03-01T00:00:00.000Z'),
    });
    const another = stopped({ externalId: '7', confirmedAt: at('2026-01-01T00:00:00.000Z') });
    const elsewhere = stopped({ wallet: anAddress(), confirmedAt: at('2026-01-01T00:00:00.000Z') });
    const back = paidUp({ previousId: first.id });
    const subscriptions = [back, first, another, elsewhere];
    expect(await accessChecks({ subscriptions }).answer()).toMatchObject({
      subscribed_since: '2026-10-01T00:01:00.000Z',
      first_subscribed_at: '2026-03-01T00:00:00.000Z',
    });
  });

  // access#computed-at-the-instant-asked
  it('computes access for the instant of the call', async () => {
    const ending = aPlan({ slug: 'pro', endsAt: at('2026-10-20T00:00:00.000Z') });
    const { answer, clock } = accessChecks({
      plans: [ending],
      subscriptions: [paidUp({ planId: ending.id })],
    });
    clock.advanceTo(at('2026-10-19T23:59:59.999Z'));
    expect(await answer()).toMatchObject({ access: true, access_until: '2026-10-20T00:00:00.000Z' });
    clock.advance(1);
    expect(await answer()).toMatchObject({ access: false, access_until: null, revalidate_after: 10 });
  });
});

// access#recent-attempts
describe('recent attempts', () => {
  const subscription = paidUp();
  const attempts = Array.from({ length: 7 }, (_, i) =>
    anAttempt({ subscriptionId: subscription.id, amount: BigInt(7 - i) }),
  );

  it.each(['true', '1'])(
    'attempts=%s shows the last five, newest first, with five fields each',
    async (flag) => {
      const answer = await accessChecks({ subscriptions: [subscription], attempts }).answer(
        `wallet=${WALLET}&plan=pro&attempts=${flag}`,
      );
      expect(answer.attempts?.map(({ amount }) => amount)).toEqual(['7', '6', '5', '4', '3']);
      expect(answer.attempts?.[0]).toEqual({
        outcome: 'paid',
        reason: null,
        amount: '7',
        attempted_at: attempts[0]?.attemptedAt.toISOString(),
        signature: attempts[0]?.signature,
      });
    },
  );

  // access#recent-attempts
  it('are in the list form too', async () => {
    const { plans } = await accessChecks({ subscriptions: [subscription], attempts }).list(
      `wallet=${WALLET}&attempts=1`,
    );
    expect(plans[0]?.attempts).toHaveLength(5);
  });

  it.each(['', '&attempts=false', '&attempts=0'])('are left out with "%s"', async (flag) => {
    const { call } = accessChecks({ subscriptions: [subscription], attempts });
    expect((await call(`/v1/access?wallet=${WALLET}&plan=pro${flag}`)).body).not.toHaveProperty('attempts');
  });
});

// access#access-without-a-plan
describe('an access check without a plan', () => {
  // access#access-without-a-plan
  it('answers for every plan with a subscription of the customer, sorted by slug', async () => {
    const plans = ['pro', 'basic', 'unused', 'abc'].map((slug) => aPlan({ slug }));
    const subscriptions = plans
      .filter(({ slug }) => slug !== 'unused')
      .flatMap(({ id }) => [paidUp({ planId: id }), aCheckout({ planId: id })]);
    const { plans: answers } = await accessChecks({ plans, subscriptions }).list();
    expect(answers.map(({ plan }) => plan)).toEqual(['abc', 'basic', 'pro']);
    expect(answers.every((answer) => answer.access)).toBe(true);
  });

  // access#access-without-a-plan
  it('answers with no plan to a customer without subscriptions', async () => {
    expect(await accessChecks({}).list()).toEqual({ plans: [], revalidate_after: 10 });
  });
});

// access#cache-hint
describe('revalidate_after', () => {
  const subscriptions = [paidUp()];

  it.each([
    [300, '2026-10-30T00:00:00.000Z'],
    [300, '2026-10-30T23:55:00.000Z'],
    [299, '2026-10-30T23:55:00.001Z'],
    [90, '2026-10-30T23:58:29.500Z'],
    [10, '2026-10-30T23:59:55.000Z'],
  ])('is %i seconds at %s, for a period that ends at midnight', async (seconds, now) => {
    const { answer, clock } = accessChecks({ subscriptions });
    clock.advanceTo(at(now));
    expect((await answer()).revalidate_after).toBe(seconds);
  });

  it('is 10 while a charge is due and not resolved', async () => {
    const { answer, clock } = accessChecks({ subscriptions });
    clock.advanceTo(at('2026-10-31T00:10:00.000Z'));
    expect(await answer()).toMatchObject({ access: true, revalidate_after: 10 });
  });

  // access#cache-hint
  it('is 10 without access, whatever is due', async () => {
    expect(await accessChecks({ subscriptions: [stopped()] }).answer()).toMatchObject({
      access: false,
      revalidate_after: 10,
    });
  });

  // access#cache-hint
  it('is the smallest of the plans that grant access for a list, and 10 when none does', async () => {
    const basic = aPlan({ slug: 'basic' });
    const soon = paidUp({ planId: basic.id, paidPeriodEnd: new Date(PAID_UNTIL.getTime() - 24 * HOUR) });
    const held = [paidUp(), soon, stopped({ planId: aPlan().id })];
    const { list, clock } = accessChecks({ plans: [PRO, basic], subscriptions: held });
    clock.advanceTo(at('2026-10-29T23:57:00.000Z'));
    expect((await list()).revalidate_after).toBe(180);
    const none = accessChecks({ subscriptions: [stopped()] });
    expect((await none.list()).revalidate_after).toBe(10);
  });
});

import { describe, expect, it } from 'vitest';

import { aCheckout } from '../../../testing/records.js';
import { PRO, access, at, paidUp, stopped } from './fixtures.js';

describe('access#which-subscription-answers: which subscription answers for a plan', () => {
  const granting = paidUp();
  const later = { createdAt: at('2026-10-02T00:00:00.000Z') };

  it.each([
    ['a checkout begun since', aCheckout({ planId: PRO.id, ...later })],
    ['a stopped one made since', stopped(later)],
    [
      'a failed one made since',
      paidUp({ ...later, status: 'failed', paidPeriodEnd: null, confirmedAt: null }),
    ],
  ])('one that grants access comes before %s', async (_, other) => {
    for (const subscriptions of [
      [granting, other],
      [other, granting],
    ]) {
      expect((await access({ subscriptions }).one()).subscription_id).toBe(granting.id);
    }
  });

  it('of several that grant access, the one confirmed last', async () => {
    const other = paidUp({
      createdAt: at('2026-09-01T00:00:00.000Z'),
      confirmedAt: at('2026-10-02T00:00:00.000Z'),
    });
    expect((await access({ subscriptions: [granting, other] }).one()).subscription_id).toBe(other.id);
  });

  it('else the latest paid for, before a failed one and a checkout', async () => {
    const old = stopped({ createdAt: at('2026-08-01T00:00:00.000Z') });
    const failed = paidUp({ ...later, status: 'failed', paidPeriodEnd: null, confirmedAt: null });
    const checkout = aCheckout({ planId: PRO.id, ...later });
    const newer = stopped(later);
    expect((await access({ subscriptions: [checkout, failed, old] }).one()).subscription_id).toBe(old.id);
    expect((await access({ subscriptions: [old, newer] }).one()).subscription_id).toBe(newer.id);
  });

  it('else the latest failed, and pending only when nothing else exists', async () => {
    const failed = paidUp({ status: 'failed', paidPeriodEnd: null, confirmedAt: null });
    const checkout = aCheckout({ planId: PRO.id, ...later });
    expect((await access({ subscriptions: [checkout, failed] }).one()).status).toBe('failed');
    expect((await access({ subscriptions: [checkout] }).one()).status).toBe('pending');
  });

  it('of two made in the same instant, the one whose id is greater', async () => {
    const [first, second] = [stopped(), stopped()];
    for (const subscriptions of [
      [first, second],
      [second, first],
    ]) {
      expect((await access({ subscriptions }).one()).subscription_id).toBe(second.id);
    }
  });
});

import { describe, expect, it } from 'vitest';

import { aCheckout } from '../../../testing/records.js';
import { PRO, access, at, paidUp, stopped } from './fixtures.js';

// access#which-subscription-answers
describe('the subscription that answers for a plan', () => {
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

  it('is the one confirmed last among several that grant access', async () => {
    const other = paidUp({
      createdAt: at('2026-09-01T00:00:00.000Z'),
      confirmedAt: at('2026-10-02T00:00:00.000Z'),
    });
    expect((await access({ subscriptions: [granting, other] }).one()).subscription_id).toBe(other.id);
  });

  it('is else the latest that was paid for, before a failed one and a checkout', async () => {
    const old = stopped({ createdAt: at('2026-08-01T00:00:00.000Z') });
    const failed = paidUp({ ...later, status: 'failed', paidPeriodEnd: null, confirmedAt: null });
    const checkout = aCheckout({ planId: PRO.id, ...later });
    const newer = stopped(later);
    expect((await access({ subscriptions: [checkout, failed, old] }).one()).subscription_id).toBe(old.id);
    expect((await access({ subscriptions: [old, newer] }).one()).subscription_id).toBe(newer.id);
  });

  it('is else the latest failed one, and a pending one only when there is no other', async () => {
    const failed = paidUp({ status: 'failed', paidPeriodEnd: null, confirmedAt: null });
    const checkout = aCheckout({ planId: PRO.id, ...later });
    expect((await access({ subscriptions: [checkout, failed] }).one()).status).toBe('failed');
    expect((await access({ subscriptions: [checkout] }).one()).status).toBe('pending');
  });

  it('is the one with the greater id of two that were created in the same instant', async () => {
    const [first, second] = [stopped(), stopped()];
    for (const subscriptions of [
      [first, second],
      [second, first],
    ]) {
      expect((await access({ subscriptions }).one()).subscription_id).toBe(second.id);
    }
  });
});

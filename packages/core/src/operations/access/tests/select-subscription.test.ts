import { describe, expect, it } from 'vitest';

import { aCheckout } from '../../../testing/records.js';
import { PRO, accessChecks, at, paidUp, stopped } from './fixtures.js';

// access#which-subscription-answers
describe('the answering subscription of a plan', () => {
  const granting = paidUp();
  const later = { createdAt: at('2026-10-02T00:00:00.000Z') };

  it.each([
    ['a later checkout', aCheckout({ planId: PRO.id, ...later })],
    ['a later stopped one', stopped(later)],
    ['a later failed one', paidUp({ ...later, status: 'failed', paidPeriodEnd: null, confirmedAt: null })],
  ])('is the one that grants access before %s', async (_, other) => {
    for (const subscriptions of [
      [granting, other],
      [other, granting],
    ]) {
      expect((await accessChecks({ subscriptions }).answer()).subscription_id).toBe(granting.id);
    }
  });

  it('is the one confirmed last among several that grant access', async () => {
    const other = paidUp({
      createdAt: at('2026-09-01T00:00:00.000Z'),
      confirmedAt: at('2026-10-02T00:00:00.000Z'),
    });
    expect((await accessChecks({ subscriptions: [granting, other] }).answer()).subscription_id).toBe(
      other.id,
    );
  });

  it('is the latest that was paid for when none grants access, before a failed one and a checkout', async () => {
    const old = stopped({ createdAt: at('2026-08-01T00:00:00.000Z') });
    const failed = paidUp({ ...later, status: 'failed', paidPeriodEnd: null, confirmedAt: null });
    const checkout = aCheckout({ planId: PRO.id, ...later });
    const newer = stopped(later);
    expect((await accessChecks({ subscriptions: [checkout, failed, old] }).answer()).subscription_id).toBe(
      old.id,
    );
    expect((await accessChecks({ subscriptions: [old, newer] }).answer()).subscription_id).toBe(newer.id);
  });

  it('is the latest failed one when none was paid for, and a pending one only when there is no other', async () => {
    const failed = paidUp({ status: 'failed', paidPeriodEnd: null, confirmedAt: null });
    const checkout = aCheckout({ planId: PRO.id, ...later });
    expect((await accessChecks({ subscriptions: [checkout, failed] }).answer()).status).toBe('failed');
    expect((await accessChecks({ subscriptions: [checkout] }).answer()).status).toBe('pending');
  });

  it('is the one with the greater id when two were created in the same instant', async () => {
    const [first, second] = [stopped(), stopped()];
    for (const subscriptions of [
      [first, second],
      [second, first],
    ]) {
      expect((await accessChecks({ subscriptions }).answer()).subscription_id).toBe(second.id);
    }
  });
});

import { describe, expect, it } from 'vitest';

import { SubscriptionChanges } from '../commits/subscription-changes.js';
import { TIERS } from '../contract/tiers.js';
import type { Transfer } from '../records/index.js';
import { periodFrom, plus } from '../rules/billing-periods.js';
import { MADE_AT, aPlan, aProject, aSubscription, aTransfer } from '../testing/records.js';
import { settleCharge } from './settle-charge.js';
import { MINUTE } from '../testing/units-of-time.js';

const project = aProject();
const plan = aPlan({ projectId: project.id });
const { end: due } = periodFrom(MADE_AT, plan);
const { end: nextDue } = periodFrom(due, plan);
const subscription = aSubscription({ projectId: project.id, planId: plan.id });
const settings = {
  serviceName: 'Subrail',
  publicUrl: 'https://pay.example',
  tiers: TIERS,
  privateTargets: false,
  warnBelowCharges: 0,
  chargerMayOwnPlans: true,
  mailFrom: null,
};

/** The charge of the period that begins at `due`, sent at that instant. */
function sentCharge(given: Partial<Transfer> = {}): { changes: SubscriptionChanges; transfer: Transfer } {
  const transfer = aTransfer({ subscriptionId: subscription.id, periodStart: due, createdAt: due, ...given });
  return {
    changes: new SubscriptionChanges({ settings }, { project, plan, subscription }, transfer),
    transfer,
  };
}

/** The attempts that a commit would record. */
function attempts(changes: SubscriptionChanges) {
  return changes.collected()[0].changes.flatMap(({ attempt }) => (attempt === null ? [] : [attempt]));
}

describe('a charge that landed', () => {
  const landed = (time: Date) => ({ kind: 'landed', slot: 1n, time, received: plan.amount }) as const;

  it('pays the period it was signed for', () => {
    const { changes, transfer } = sentCharge();
    expect(settleCharge(changes, transfer, landed(plus(due, MINUTE)), plus(due, MINUTE))).toBe('nothing');
    expect(changes.openTransfer).toBeNull();
    expect(changes.subscription).toMatchObject({
      paidPeriodStart: due,
      paidPeriodEnd: nextDue,
      paidCount: 2,
    });
  });

  // The program refuses a charge before its period, so a node that reports such a time has a slow clock.
  it('pays the period it was signed for, and misses none, when the node reports a time before that period', () => {
    const { changes, transfer } = sentCharge();
    settleCharge(changes, transfer, landed(plus(due, -1_000)), plus(due, 1_000));
    expect(changes.subscription).toMatchObject({ paidPeriodStart: due, paidPeriodEnd: nextDue });
    expect(attempts(changes)).toMatchObject([{ outcome: 'paid', periodStart: due }]);
  });

  // billing-periods#payment-past-a-boundary
  it('pays the later period when it landed past a boundary, and the earlier one is missed', () => {
    const { changes, transfer } = sentCharge();
    settleCharge(changes, transfer, landed(nextDue), nextDue);
    expect(changes.subscription.paidPeriodStart).toEqual(nextDue);
    expect(attempts(changes)).toMatchObject([
      { outcome: 'skipped', reason: 'period_missed', periodStart: due },
      { outcome: 'paid', periodStart: nextDue },
    ]);
  });
});

// attempts#shared-transaction, attempts#network-fee
describe('a charge that another charge of its transaction undid', () => {
  it('has no attempt, keeps its share of the fee, and is read and charged again', () => {
    const { changes, transfer } = sentCharge({ paymentIndex: 1 });
    const now = plus(due, MINUTE);
    expect(settleCharge(changes, transfer, { kind: 'undone', slot: 1n, lamports: 1_250n }, now)).toBe('read');
    expect(changes.openTransfer).toBeNull();
    expect(attempts(changes)).toEqual([]);
    expect(changes.collected()[0].transfers).toEqual([
      { ...transfer, state: 'failed', lamports: 1_250n, resolvedAt: now },
    ]);
  });
});

describe('a charge that has not been found', () => {
  // attempts#lost-transaction
  it('is lost only when a second look-up agrees, and then the chain is read again', () => {
    const { changes, transfer } = sentCharge();
    expect(settleCharge(changes, transfer, { kind: 'not_found' }, plus(due, MINUTE))).toBe('nothing');
    const open = changes.openTransfer;
    expect(open).toMatchObject({ state: 'open', notFoundCount: 1 });
    if (open === null) return;
    const second = changes.next();
    expect(settleCharge(second, open, { kind: 'not_found' }, plus(due, 2 * MINUTE))).toBe('read');
    expect(second.openTransfer).toBeNull();
    expect(attempts(changes)).toEqual([]);
  });
});

describe('a charge that waits for its outcome', () => {
  // blocks#short-wait-is-no-block
  it('is looked up again after two seconds and sets no block while the wait is short', () => {
    const { changes, transfer } = sentCharge();
    const now = plus(due, 2 * MINUTE);
    expect(settleCharge(changes, transfer, { kind: 'waiting' }, now)).toBe('resend');
    expect(changes.subscription).toMatchObject({ blockedSince: null, nextTryAt: plus(now, 2_000) });
    expect(attempts(changes)).toEqual([]);
  });

  // attempts#long-wait-recorded-once
  it.each([
    ['waiting', 'send_unconfirmed', due],
    ['unknown', 'landing_unknown', null],
  ] as const)('is recorded once when it is %s for more than two minutes', (kind, reason, periodStart) => {
    const { changes, transfer } = sentCharge();
    const now = plus(due, 2 * MINUTE + 1);
    settleCharge(changes, transfer, { kind }, now);
    expect(changes.subscription).toMatchObject({ blockedSince: now, nextTryAt: plus(now, 30_000) });
    expect(attempts(changes)).toMatchObject([
      { outcome: 'blocked', reason, periodStart, amount: plan.amount },
    ]);

    const again = sentCharge({ longWaitRecorded: true });
    settleCharge(again.changes, again.transfer, { kind }, plus(now, MINUTE));
    expect(attempts(again.changes)).toEqual([]);
  });
});

describe('a charge that the chain refused', () => {
  const failed = (kind: 'program' | 'chain', code: number) =>
    ({ kind: 'failed', slot: 1n, refusal: { kind, code } }) as const;

  // attempts#results-of-a-sent-transaction
  it('is rejected at once when the refusal counts against the customer', () => {
    const { changes, transfer } = sentCharge();
    expect(settleCharge(changes, transfer, failed('program', 1), due)).toBe('nothing');
    expect(attempts(changes)).toMatchObject([{ outcome: 'rejected', reason: 'program_1', periodStart: due }]);
  });

  // attempts#authority-error-needs-a-read
  it.each([
    ['program', 103],
    ['program', 136],
    ['program', 130],
    ['chain', 1],
  ] as const)('needs a read of the chain after %s %s', (kind, code) => {
    const { changes, transfer } = sentCharge();
    expect(settleCharge(changes, transfer, failed(kind, code), due)).toBe('read');
    expect(changes.openTransfer).toBeNull();
    expect(attempts(changes)).toEqual([]);
  });
});

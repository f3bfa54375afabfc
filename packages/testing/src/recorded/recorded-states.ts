import type { SubscriptionStatus } from '@subrail/core/schemas';
import type { Attempt, Plan, Subscription } from '@subrail/core/ports';
import { aCheckout, anAttempt, aSignature, aSubscription } from '@subrail/core/testing';

import { inDollars } from '../token-facts.js';

/**
 * The state of a recorded subscription: a status, or one of the two that `active` hides. A subscription is
 * `blocked` while its due charge fails for a reason that is not the customer's, and `paused` while it has no
 * seat.
 */
export type RecordedState = SubscriptionStatus | 'blocked' | 'paused';

/** A subscription with the attempts that led to its state. */
export interface RecordedSubscription {
  readonly subscription: Subscription;
  readonly attempts: readonly Attempt[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The retries of a recorded plan: one a day, three times, which is the default of a plan of 30 days. */
export const RETRIES = { attempts: 3, waitMs: DAY };

/** The period of a recorded plan. */
export const PERIOD_HOURS = 720;
const PERIOD = PERIOD_HOURS * HOUR;

/** Makes the records of a subscription in a state, as it would be at an instant. */
export function recordedSubscription(
  state: RecordedState,
  plan: Plan,
  now: Date,
  customer: Partial<Subscription>,
): RecordedSubscription {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const ids = { projectId: plan.projectId, planId: plan.id };

  /** A checkout whose first payment has not landed. */
  const checkout = (age: number, fields: Partial<Subscription> = {}): RecordedSubscription => ({
    subscription: aCheckout({
      ...ids,
      createdAt: ago(age),
      checkoutExpiresAt: ago(age - 30 * MINUTE),
      wakeAt: ago(age - 30 * MINUTE),
      ...fields,
      ...customer,
    }),
    attempts: [],
  });

  /** A subscription that paid its first period, which began so long ago. */
  const paid = (
    sinceStart: number,
    fields: Partial<Subscription> = {},
    later: readonly Partial<Attempt>[] = [],
  ): RecordedSubscription => {
    const start = ago(sinceStart);
    const end = ago(sinceStart - PERIOD);
    const subscription = aSubscription({
      ...ids,
      incarnation: { generation: 1n, planCreatedAt: plan.createdOnChainAt ?? start, anchor: start },
      paidPeriodStart: start,
      paidPeriodEnd: end,
      paidAmount: plan.amount,
      nextTryAt: end,
      wakeAt: end,
      createdAt: start,
      confirmedAt: start,
      ...fields,
      ...customer,
    });
    const price = { amount: plan.amount, amountUsd: inDollars(plan.amount) };
    const attempt = (fields: Partial<Attempt>): Attempt =>
      anAttempt({ subscriptionId: subscription.id, ...price, ...fields });
    const first = attempt({
      attemptedAt: start,
      periodStart: start,
      amountReceived: plan.amount,
      signature: aSignature(),
    });
    return { subscription, attempts: [first, ...later.map(attempt)] };
  };

  /** A try that did not pay. */
  const failed = (age: number, fields: Partial<Attempt>): Partial<Attempt> => ({
    attemptedAt: ago(age),
    amountReceived: null,
    signature: null,
    ...fields,
  });

  /** The rejected charge of the period after the first one, and so many rejected retries. */
  const rejections = (missedAge: number, retries: number): readonly Partial<Attempt>[] =>
    Array.from({ length: retries + 1 }, (_, number) =>
      failed(missedAge - number * DAY, {
        outcome: 'rejected',
        reason: 'insufficient_balance',
        periodStart: ago(missedAge),
        ...(number > 0 ? { retry: true, retryNumber: number, retriesAllowed: RETRIES.attempts } : {}),
      }),
    );

  const gaveUp: Partial<Subscription> = {
    lateReason: 'insufficient_balance',
    nextTryAt: null,
    wakeAt: null,
    lastAnnouncedAccess: false,
  };

  switch (state) {
    default:
      throw new TypeError(
        `Expected the state of a subscription, such as active, unpaid or stopped; found ${JSON.stringify(state satisfies never)}.`,
      );
    case 'pending':
      return checkout(5 * MINUTE);
    case 'expired':
      return checkout(DAY, { status: 'expired', checkoutExpiresAt: null, wakeAt: null });
    case 'failed':
      return checkout(DAY, { status: 'failed', checkoutExpiresAt: null, wakeAt: null });
    case 'active':
      return paid(10 * DAY);
    case 'paused':
      return paid(10 * DAY, { pausedAt: ago(DAY), nextTryAt: null });
    case 'unpaid': {
      const missed = 12 * HOUR;
      const nextAt = ago(missed - RETRIES.waitMs);
      return paid(
        PERIOD + missed,
        {
          status: 'unpaid',
          lateReason: 'insufficient_balance',
          late: {
            periodStart: ago(missed),
            graceUntil: ago(missed - RETRIES.attempts * RETRIES.waitMs),
            automatic: { spent: 0, allowed: RETRIES.attempts, waitMs: RETRIES.waitMs, nextAt },
            deadline: null,
            byHand: { count: 0, lastAt: null },
            queuedAt: null,
          },
          nextTryAt: nextAt,
          wakeAt: nextAt,
        },
        rejections(missed, 0),
      );
    }
    case 'blocked': {
      const due = 12 * HOUR;
      const nextTryAt = ago(-10 * MINUTE);
      const reason = 'receiver_account_frozen';
      return paid(
        PERIOD + due,
        {
          blockedSince: ago(due),
          blockedReason: reason,
          blockedAccessUntil: ago(due - RETRIES.attempts * RETRIES.waitMs),
          nextTryAt,
          wakeAt: nextTryAt,
        },
        [failed(due, { outcome: 'blocked', reason, periodStart: ago(due) })],
      );
    }
    case 'cancelled': {
      const start = 10 * DAY;
      const expiresAt = ago(start - PERIOD);
      return paid(start, {
        status: 'cancelled',
        cancellation: { confirmedAt: ago(DAY), expiresAt, behind: false, lapse: null },
      });
    }
    case 'ended': {
      const start = PERIOD + 2 * DAY;
      const expiresAt = ago(start - PERIOD);
      return paid(start, {
        status: 'ended',
        endReason: 'cancelled',
        cancellation: { confirmedAt: ago(10 * DAY), expiresAt, behind: false, lapse: null },
        nextTryAt: null,
        wakeAt: null,
        lastAnnouncedAccess: false,
      });
    }
    case 'stopped':
      return paid(
        PERIOD + 5 * DAY,
        { status: 'stopped', stopReason: 'out_of_retries', ...gaveUp },
        rejections(5 * DAY, RETRIES.attempts),
      );
    case 'superseded':
      return paid(
        PERIOD + 5 * DAY,
        { status: 'superseded', ...gaveUp, lateReason: null },
        rejections(5 * DAY, RETRIES.attempts),
      );
  }
}

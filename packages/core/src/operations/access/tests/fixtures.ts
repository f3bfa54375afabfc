import { AccessAnswer, AccessList } from '../../../contract/access.js';
import { createHandler } from '../../../http/handler.js';
import type { Attempt, Plan, Subscription } from '../../../records/index.js';
import { aPlan, aProject, aSubscription, anAddress } from '../../../testing/records.js';
import { callerOf, serviceFixture } from '../../../http/tests/fixtures.js';

export const WALLET = anAddress('Subscriber');
export const PRO = aPlan({ slug: 'pro' });

export const at = (iso: string) => new Date(iso);
export const PAID_UNTIL = at('2026-10-31T00:00:00.000Z');

/** A subscription to a plan, paid from October 1st for 30 days. */
export function paidUp(given: Partial<Subscription> = {}): Subscription {
  return aSubscription({
    planId: PRO.id,
    wallet: WALLET,
    paidPeriodStart: at('2026-10-01T00:00:00.000Z'),
    paidPeriodEnd: PAID_UNTIL,
    nextTryAt: PAID_UNTIL,
    createdAt: at('2026-10-01T00:00:00.000Z'),
    confirmedAt: at('2026-10-01T00:01:00.000Z'),
    ...given,
  });
}

export function stopped(given: Partial<Subscription> = {}): Subscription {
  return paidUp({
    status: 'stopped',
    stopReason: 'out_of_retries',
    lateReason: 'insufficient_balance',
    nextTryAt: null,
    ...given,
  });
}

interface CustomerRecords {
  readonly plans?: readonly Plan[];
  readonly subscriptions?: readonly Subscription[];
  readonly attempts?: readonly Attempt[];
}

/** Functions that ask the service for access. The store returns these records for every customer. */
export function accessChecks({ plans = [PRO], subscriptions = [], attempts = [] }: CustomerRecords) {
  const { billing, clock } = serviceFixture({
    project: aProject(),
    store: {
      findPlanBySlug: async (_, slug) => plans.find((plan) => plan.slug === slug) ?? null,
      listForAccess: async (_, _customer, slug) =>
        subscriptions.flatMap((subscription) => {
          const plan = plans.find(({ id }) => id === subscription.planId);
          return plan === undefined || (slug !== null && plan.slug !== slug) ? [] : [{ subscription, plan }];
        }),
      listAttempts: async (id, { limit }) => ({
        data: attempts.filter(({ subscriptionId }) => subscriptionId === id).slice(0, limit),
        hasMore: attempts.length > limit,
      }),
    },
  });
  const call = callerOf(createHandler(billing));
  return {
    clock,
    call,
    answer: async (query = `wallet=${WALLET}&plan=pro`) =>
      AccessAnswer.parse((await call(`/v1/access?${query}`)).body),
    list: async (query = `wallet=${WALLET}`) => AccessList.parse((await call(`/v1/access?${query}`)).body),
  };
}

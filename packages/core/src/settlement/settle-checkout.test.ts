import { expect, it } from 'vitest';

import { SubscriptionChanges } from '../commits/subscription-changes.js';
import { TIERS } from '../contract/tiers.js';
import type { ChargeView } from '../ports/index.js';
import { periodFrom, plus } from '../rules/billing-periods.js';
import { MADE_AT, aCheckout, aPlan, aProject, aSubscription, aTransfer } from '../testing/records.js';
import { settleCheckout } from './settle-checkout.js';
import { MINUTE } from '../testing/units-of-time.js';

const project = aProject();
const plan = aPlan({ projectId: project.id });
const { start, end: due } = periodFrom(MADE_AT, plan);
const settings = {
  serviceName: 'Subrail',
  publicUrl: 'https://pay.example',
  tiers: TIERS,
  privateTargets: false,
  warnBelowCharges: 0,
  chargerMayOwnPlans: true,
  mailFrom: null,
};

// coming-back#earlier-subscription-runs-again
it.each([
  ['is looked up when it was to be, while a charge of it is under way', true],
  ['is charged next at the end of the period that the comeback paid, without one', false],
])('the subscription that runs again and gets the payment of a comeback %s', (_, isCharging) => {
  const now = plus(due, 5 * MINUTE);
  const running = aSubscription({
    projectId: project.id,
    planId: plan.id,
    incarnation: { generation: 1n, planCreatedAt: start, anchor: start },
    confirmedAt: start,
    nextTryAt: plus(now, 2_000),
  });
  const checkout = aCheckout({ projectId: project.id, planId: plan.id });
  const transfer = aTransfer({ subscriptionId: checkout.id, kind: 'comeback', periodStart: null });
  const changes = new SubscriptionChanges({ settings }, { project, plan, subscription: checkout }, transfer);
  const charge = aTransfer({ subscriptionId: running.id, periodStart: due });
  const previous = changes.forSibling(running, isCharging ? charge : null);
  const time = plus(due, MINUTE);
  const view = { slot: 9n, time, subscription: null } as ChargeView;
  settleCheckout(
    changes,
    {
      transfer,
      outcome: { kind: 'landed', slot: 9n, time, received: transfer.amount },
      replaces: null,
      replaced: null,
    },
    {
      view: { ok: true, value: view },
      viewOfReplaced: null,
      remade: false,
      paidBefore: [previous],
    },
    now,
  );
  expect(changes.subscription.status).toBe('failed');
  const { end } = periodFrom(due, plan);
  expect(previous.subscription).toMatchObject({
    status: 'active',
    paidPeriodStart: due,
    nextTryAt: isCharging ? running.nextTryAt : end,
  });
});

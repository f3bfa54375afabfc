import { describe, expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import { periodFrom, plus } from '../rules/billing-periods.js';
import { MADE_AT, aPlan, aProject, aSubscription, aTransfer } from '../testing/records.js';
import { SubscriptionChanges } from './subscription-changes.js';

const project = aProject();
const plan = aPlan({ projectId: project.id });
const { end: due } = periodFrom(MADE_AT, plan);
const settings = {
  serviceName: 'Subrail',
  publicUrl: 'https://pay.example',
  tiers: TIERS,
  privateTargets: false,
  warnBelowCharges: 0,
  chargerMayOwnPlans: true,
  mailFrom: null,
};

function changesOf(given: Parameters<typeof aSubscription>[0] = {}): SubscriptionChanges {
  const subscription = aSubscription({ projectId: project.id, planId: plan.id, version: 7, ...given });
  return new SubscriptionChanges({ settings }, { project, plan, subscription });
}

describe('the collected changes of a subscription', () => {
  it('make one next version, however many changes there are', () => {
    const changes = changesOf();
    expect(changes.hasChanges).toBe(false);
    changes.apply({ kind: 'missed', since: due, until: plus(due, 1000) }, due);
    changes.apply({ kind: 'poll_scheduled', nextTryAt: plus(due, 2000) }, due);
    expect(changes.subscription.version).toBe(8);
    expect(changes.before.version).toBe(7);
    const [own] = changes.collected();
    expect(own.changes).toHaveLength(2);
    expect(own.subscription).toBe(changes.subscription);
    expect(changes.next().before.version).toBe(8);
  });

  it('hold the last state of each transfer', () => {
    const changes = changesOf();
    const transfer = aTransfer({ subscriptionId: changes.subscription.id });
    changes.putTransfer(transfer);
    expect(changes.openTransfer).toEqual(transfer);
    changes.putTransfer({ ...transfer, state: 'landed' });
    expect(changes.openTransfer).toBeNull();
    expect(changes.collected()[0].transfers).toEqual([{ ...transfer, state: 'landed' }]);
  });

  // coming-back#superseded-by-a-comeback
  it('are committed together with those of another subscription, their own first', () => {
    const comeback = changesOf();
    const previous = comeback.forSibling(aSubscription({ planId: plan.id, status: 'stopped', version: 3 }));
    comeback.apply({ kind: 'rescheduled' }, due);
    previous.apply({ kind: 'superseded' }, due);
    comeback.alsoCommit(previous);
    const [own, other] = comeback.collected();
    expect(own.subscription.id).toBe(comeback.subscription.id);
    expect(other?.subscription).toMatchObject({ id: previous.before.id, status: 'superseded', version: 4 });
  });
});

import { describe, expect, it } from 'vitest';

import type { Committer } from '../../commits/commit-changes.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import { Unavailable } from '../../ports/unavailable.js';
import { aPlan, aProject, aSubscription } from '../../testing/records.js';
import { commitUnits } from './commit-batch.js';

const project = aProject();
const plan = aPlan({ projectId: project.id });

/**
 * Commits eight subscriptions, some of which the store refuses or fails on, and tells what became of them.
 * @param together how many of them are stored all or none
 */
async function commitEight(refusal: (place: number) => 'lost' | Error | null, together = 1) {
  const { billing, loggedFacts, logged } = serviceFixture();
  const batch = Array.from({ length: 8 }, () => {
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    const changes = new SubscriptionChanges(billing.service, { project, plan, subscription });
    changes.apply({ kind: 'rescheduled' }, NOW);
    return changes;
  });
  const written: number[][] = [];
  const committer: Committer = {
    async commit(part) {
      const places = part.map((changes) => batch.indexOf(changes));
      const refusals = places.map(refusal).filter((refused) => refused !== null);
      written.push(places);
      for (const refused of refusals) if (refused !== 'lost') throw refused;
      return refusals.length > 0 ? 'lost' : 'committed';
    },
  };
  const units = Array.from({ length: 8 / together }, (_, index) =>
    batch.slice(index * together, (index + 1) * together),
  );
  const { stored, separated } = await commitUnits(billing.service, committer, units, NOW);
  const ids = batch.map(({ subscription }) => subscription.id);
  const placesOf = (some: Iterable<SubscriptionChanges>) =>
    [...some].map((changes) => batch.indexOf(changes));
  return {
    ...{ stored: placesOf(stored), separated: placesOf(separated) },
    ...{ written, ids, loggedFacts, logged },
  };
}

describe('a batch of subscriptions', () => {
  it('is written with one commit', async () => {
    const { stored, written } = await commitEight(() => null);
    expect(written).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]]);
    expect(stored).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('loses only the one that conflicts', async () => {
    const { stored, written, ids, loggedFacts } = await commitEight((place) => (place === 5 ? 'lost' : null));
    expect(written).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3], [4, 5, 6, 7], [4, 5], [4], [5], [6, 7]]);
    expect(stored).toEqual([0, 1, 2, 3, 4, 6, 7]);
    expect(loggedFacts).toEqual([{ subscription: ids[5], status: 'active', signature: null }]);
  });

  it('loses only the one that the store fails on', async () => {
    const error = new Error('The row is damaged.');
    const { stored, ids, loggedFacts } = await commitEight((place) => (place === 0 ? error : null));
    expect(stored).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(loggedFacts).toEqual([
      { subscriptions: [ids[0]], err: error },
      { alert: 'subscriptions_failing:writing' },
    ]);
  });

  it('is given up at once when the store is unavailable', async () => {
    const error = new Unavailable('The disk is full.');
    const { stored, written, ids, loggedFacts } = await commitEight(() => error);
    expect(written).toHaveLength(1);
    expect(stored).toEqual([]);
    expect(loggedFacts).toEqual([{ subscriptions: ids, err: error }, { alert: 'store_unavailable:writing' }]);
  });
});

// attempts#shared-transaction
describe('subscriptions that are stored all or none', () => {
  it.each([
    ['conflicts', 'lost' as const],
    ['fails', new Error('The row is damaged.')],
  ])('are told apart from the rest when one of them %s, and are never divided', async (_, refusal) => {
    const { stored, separated, written, loggedFacts } = await commitEight(
      (place) => (place === 5 ? refusal : null),
      2,
    );
    expect(written).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [4, 5],
      [6, 7],
    ]);
    expect(stored).toEqual([0, 1, 2, 3, 6, 7]);
    expect(separated).toEqual([4, 5]);
    expect(loggedFacts).toEqual([]);
  });
});

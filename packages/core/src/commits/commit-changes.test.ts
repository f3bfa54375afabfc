import { expect, it } from 'vitest';
import { NOW, serviceFixture } from '../http/tests/fixtures.js';
import type { Commit } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';
import { anEndpoint, aPlan, aProject, aSubscription } from '../testing/records.js';
import { createCommitter } from './commit-changes.js';
import { SubscriptionChanges } from './subscription-changes.js';

// deliveries#timestamp-from-the-wall-clock
it('makes deliveries due by the clock of the host, whatever clock a pass goes by', async () => {
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  const written: Commit[] = [];
  const { billing } = serviceFixture({
    store: {
      listEndpoints: async () => [anEndpoint({ projectId: project.id, types: ['subscription.paused'] })],
      commit: async (commits) => {
        written.push(...commits);
        return 'committed';
      },
    },
  });
  const chainTime = plus(NOW, 3_600_000);
  const clock = { now: () => chainTime, sleep: () => Promise.resolve() };
  const service = { ...billing.service, clock };
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const changes = new SubscriptionChanges(service, { project, plan, subscription });
  changes.apply({ kind: 'paused' }, chainTime);
  await createCommitter(service).commit([changes]);
  const [commit] = written;
  expect(commit?.events[0]?.createdAt).toEqual(chainTime);
  expect(commit?.deliveries.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([NOW]);
});

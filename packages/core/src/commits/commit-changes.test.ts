import { expect, it } from 'vitest';
import { NOW, serviceFixture } from '../http/tests/fixtures.js';
import type { Clock, Commit, EndpointList } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';
import { anEndpoint, aPlan, aProject, aSubscription } from '../testing/records.js';
import { createCommitter, memoized } from './commit-changes.js';
import { SubscriptionChanges } from './subscription-changes.js';

/** A commit of one change, with its event, of a project with these endpoints. */
async function commitPaused(endpoints: EndpointList, clock?: Clock) {
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  const written: Commit[] = [];
  const { billing, logged } = serviceFixture({
    store: {
      listEndpoints: async () => endpoints,
      commit: async (commits) => {
        written.push(...commits);
        return 'committed';
      },
    },
  });
  const service = { ...billing.service, ...(clock && { clock }) };
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const changes = new SubscriptionChanges(service, { project, plan, subscription });
  changes.apply({ kind: 'paused' }, service.clock.now());
  await createCommitter(service).commit([changes]);
  return { commit: written[0], logged };
}

const SELECTS_PAUSED = anEndpoint({ types: ['subscription.paused'] });

// deliveries#timestamp-from-the-wall-clock
it('makes deliveries due by the clock of the host, whatever clock a pass goes by', async () => {
  const chainTime = plus(NOW, 3_600_000);
  const clock = { now: () => chainTime, sleep: () => Promise.resolve() };
  const { commit } = await commitPaused({ endpoints: [SELECTS_PAUSED], unreadable: [] }, clock);
  expect(commit?.events[0]?.createdAt).toEqual(chainTime);
  expect(commit?.deliveries.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([NOW]);
});

// deliveries#damaged-endpoint
it('writes a change and its deliveries although another endpoint cannot be read', async () => {
  const damaged = { id: 'whe_damaged', error: new SyntaxError('no JSON') };
  const { commit, logged } = await commitPaused({ endpoints: [SELECTS_PAUSED], unreadable: [damaged] });
  expect(commit?.deliveries.map(({ endpointId }) => endpointId)).toEqual([SELECTS_PAUSED.id]);
  expect(logged.join()).toContain('whe_damaged');
});

it('keeps what was read, and reads again what could not be read', async () => {
  const reads: string[] = [];
  const lengthOf = memoized(async (text: string) => {
    reads.push(text);
    if (reads.length === 1) throw new Error('disk full');
    return text.length;
  });
  await expect(lengthOf('plan')).rejects.toThrow('disk full');
  expect([await lengthOf('plan'), await lengthOf('plan')]).toEqual([4, 4]);
  expect(reads).toEqual(['plan', 'plan']);
});

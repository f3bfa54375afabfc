import { expect, it } from 'vitest';
import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import type { PlanClaims } from '../../ports/index.js';
import type { PlanId } from '../../records/index.js';
import { aPlan } from '../../testing/records.js';
import { ClockOfPasses } from '../charges/clock-of-pass.js';
import { runPlanPass } from './plan-pass.js';

// plans#damaged-plan
it('reads the plans that are claimed after one that cannot be read, which the log names', async () => {
  const [damaged, other] = [aPlan(), aPlan({ status: 'closed' })];
  const claims: PlanClaims[] = [
    { claimed: [], unreadable: [{ id: damaged.id, error: new Error('damaged') }] },
    { claimed: [other], unreadable: [] },
  ];
  const scheduled: PlanId[] = [];
  const { billing, logged } = serviceFixture({
    store: {
      claimPlanChecks: async () => claims.shift() ?? { claimed: [], unreadable: [] },
      wakeSubscribers: async () => 0,
      schedulePlanChecks: async (ids) => void scheduled.push(...ids),
    },
    chain: { head: async () => ({ ok: true, value: { slot: 1n, blockHeight: 1n, time: NOW } }) },
  });
  await runPlanPass(billing.service, new ClockOfPasses(billing.service));
  expect(scheduled).toEqual([other.id]);
  expect(logged.filter((line) => line.includes('A plan cannot be read'))).toHaveLength(1);
  expect(logged.join()).toContain(damaged.id);
});

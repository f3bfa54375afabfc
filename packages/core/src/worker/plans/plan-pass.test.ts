import { expect, it } from 'vitest';
import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import type { PlanClaims } from '../../ports/index.js';
import type { PlanId } from '../../records/index.js';
import { aPlan } from '../../testing/records.js';
import { ClockOfPasses } from '../charges/clock-of-pass.js';
import { runPlanPass } from './plan-pass.js';

// plans#damaged-plan
it('reads the plans that are claimed after many that cannot be read, which the log names', async () => {
  const error = new Error('damaged');
  const damaged = Array.from({ length: 800 }, () => ({ id: aPlan().id, error }));
  const other = aPlan({ status: 'closed' });
  const claims: PlanClaims[] = [
    { claimed: [], unreadable: damaged },
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
  const lines = logged.filter((line) => line.includes('A plan cannot be read'));
  expect(lines).toHaveLength(damaged.length);
  for (const { id } of damaged) expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
});

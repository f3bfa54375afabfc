import { expect, it } from 'vitest';
import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import type { AccessEnds, Commit } from '../../ports/index.js';
import { aPlan, aProject, aSubscription } from '../../testing/records.js';
import { plus } from '../../rules/billing-periods.js';
import { ClockOfPasses } from '../charges/clock-of-pass.js';
import { createAccessPass } from './access-pass.js';

const project = aProject();
const plan = aPlan({ projectId: project.id });

/** A cancelled subscription whose access ended at `NOW`, as a store lists it. */
function ended(wakeAt: Date) {
  const subscription = aSubscription({
    projectId: project.id,
    planId: plan.id,
    status: 'cancelled',
    cancellation: { confirmedAt: plus(NOW, -1), expiresAt: NOW, behind: false, lapse: null },
    paidPeriodEnd: NOW,
    lastAnnouncedAccess: true,
    accessEndsAt: NOW,
    wakeAt,
  });
  return { subscription, plan, project, transfer: null };
}

/** A pass over a store with these ends, after the clocks were compared. It loses commits of `refused`. */
async function passOver(listed: AccessEnds, refused: readonly string[] = []) {
  const limits: number[] = [];
  const written: string[] = [];
  const { billing, clock, logged } = serviceFixture({
    store: {
      listAccessEnds: async (_, limit) => {
        limits.push(limit);
        return listed;
      },
      listEndpoints: async () => ({ endpoints: [], unreadable: [] }),
      commit: async (commits: readonly Commit[]) => {
        const ids = commits.map(({ subscription }) => subscription.id);
        if (ids.some((id) => refused.includes(id))) return 'lost';
        written.push(...ids);
        return 'committed';
      },
    },
    chain: { head: async () => ({ ok: false, unavailable: { kind: 'transport' } }) },
  });
  const clocks = new ClockOfPasses(billing.service);
  const pass = createAccessPass(billing.service, clocks);
  await pass();
  await clocks.read();
  return { pass, clock, limits, written, logged };
}

// events#access-ending-by-date
it('stores an end once in a pass, and leaves it for three seconds to a pass that has claimed the subscription', async () => {
  const free = ended(NOW);
  const claimed = ended(plus(NOW, 60_000));
  const { pass, clock, written } = await passOver({ ended: [free, claimed], unreadable: [] });
  await pass();
  expect(written).toEqual([free.subscription.id]);
  clock.advance(3_000);
  await pass();
  expect(written).toEqual([free, free, claimed].map(({ subscription }) => subscription.id));
});

// invariants#damaged-row-set-aside
it('looks past those that it could not read or store for a minute, and reports an unreadable one once', async () => {
  const [stuck, other] = [ended(NOW), ended(NOW)];
  const unreadable = [{ id: ended(NOW).subscription.id, error: new Error('damaged') }];
  const listed = { ended: [stuck, other], unreadable };
  const { pass, clock, limits, written, logged } = await passOver(listed, [stuck.subscription.id]);
  await pass();
  await pass();
  expect(written).toEqual([other.subscription.id, other.subscription.id]);
  expect(limits).toEqual([400, 402]);
  expect(logged.filter((line) => /cannot be read/.test(line))).toHaveLength(1);
  clock.advance(61_000);
  await pass();
  expect(limits.at(-1)).toBe(400);
});

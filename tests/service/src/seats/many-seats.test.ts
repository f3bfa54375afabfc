import type { Plan, Project, Subscription } from '@subrail/core/ports';
import { aCommit, aPlan, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import { aroundStore, openTestWorld, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

/** How many rows a call of the store may return, however many subscriptions a project has. */
const MOST_ROWS = 200;

let world: TestWorld;

beforeEach(async () => {
  world = await openTestWorld();
});

const at = (ms: number) => new Date(MADE_AT.getTime() + ms);

/** A stored project with three plans. */
async function storedProject(given: Partial<Project> = {}) {
  const project = aProject({ tier: 'business', ...given });
  await world.store.insertProject(project);
  const plans = [
    aPlan({ projectId: project.id }),
    aPlan({ projectId: project.id }),
    aPlan({ projectId: project.id }),
  ];
  for (const plan of plans) await world.store.insertPlan(plan);
  const store = (plan: 0 | 1 | 2, given: Partial<Subscription>) => {
    const of = { projectId: project.id, planId: plans[plan]?.id as Plan['id'], wakeAt: null };
    return world.store.commit([aCommit(aSubscription({ ...of, ...given }))]);
  };
  return { project, store };
}

/** The wallets whose subscriptions are parked, and those with a seat. */
async function seatsOf({ id }: Project) {
  const parked = await world.store.listParked(id, world.now(), null, 10_000);
  const seated = await world.store.listSeatsOver(id, 0, world.now(), 10_000);
  return { parked: new Set(parked.map(({ wallet }) => wallet)), seated: new Set(seated) };
}

/** A host that starts, and the number of rows that a call of its store returned at most. */
function countingHost() {
  const most = { rows: 0 };
  const counting = aroundStore(world.store, async (_, call) => {
    const result = await call();
    if (Array.isArray(result)) most.rows = Math.max(most.rows, result.length);
    return result;
  });
  const { billing } = world.host(counting);
  return { sweep: () => billing.worker.charge(), project: (id: string) => billing.project(id), most };
}

describe('a project with many seats', () => {
  // seats-and-tiers#when-seats-are-swept
  it('is swept by pages, although a wallet is parked', async () => {
    const { project, store } = await storedProject({ subscriberLimit: 450 });
    for (let i = 0; i < 450; i++) await store(0, { wallet: `wallet ${1000 + i}`, confirmedAt: at(i) });
    await store(0, { wallet: 'parked', confirmedAt: at(500), pausedAt: at(500) });
    const { sweep, most } = countingHost();
    await sweep();
    expect(most.rows).toBeLessThanOrEqual(MOST_ROWS);
    const { parked, seated } = await seatsOf(project);
    expect([...parked, seated.size]).toEqual(['parked', 450]);
  });

  // seats-and-tiers#parking-order, seats-and-tiers#unparking-order
  it('is parked and returned by pages, in the order of the seats', async () => {
    const { project, store } = await storedProject();
    const wallets = Array.from({ length: 450 }, (_, i) => `wallet ${1000 + i}`);
    for (const [i, wallet] of wallets.entries()) await store(0, { wallet, confirmedAt: at(i) });
    const { project: projectOf, most } = countingHost();
    await projectOf(project.id).update({ subscriber_limit: 5 });
    expect((await seatsOf(project)).seated).toEqual(new Set(wallets.slice(0, 5)));
    // They were parked at one moment, because the clock of the test is not moved.
    await projectOf(project.id).update({ subscriber_limit: 230 });
    expect((await seatsOf(project)).seated).toEqual(new Set(wallets.slice(0, 230)));
    await projectOf(project.id).update({ subscriber_limit: null });
    expect((await seatsOf(project)).parked).toEqual(new Set());
    // The wallets over a limit are listed without their records.
    expect(most.rows).toBeLessThanOrEqual(445);
  });

  // retries#downgrade-while-late, retries#upgrade-while-late
  it('has its late subscriptions read by pages', async () => {
    const { project, store } = await storedProject({ tier: 'free', subscriberLimit: 1_000 });
    const automatic = { spent: 0, allowed: 3, waitMs: 1_000, nextAt: at(1_000) };
    const byHand = { count: 0, lastAt: null };
    const late = { periodStart: at(0), graceUntil: null, automatic, deadline: null, byHand, queuedAt: null };
    const wallets = Array.from({ length: 450 }, (_, i) => `wallet ${1000 + i}`);
    for (const [i, wallet] of wallets.entries())
      await store(0, { wallet, status: 'unpaid', late, createdAt: at(i % 7) });
    const { sweep, most } = countingHost();
    await sweep();
    expect(most.rows).toBeLessThanOrEqual(MOST_ROWS);
    const after = await world.store.listLate(project.id, null, 10_000);
    expect(after).toHaveLength(450);
    expect(after.filter((one) => one.late?.automatic !== null)).toEqual([]);
  });
});

// invariants#seats-within-the-limit, seats-and-tiers#parking-order, seats-and-tiers#unparking-order
it('settles within the limit whatever the records are: first what is over is parked, then the longest parked return', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let run = 0; run < 60; run++) {
    const { project, store } = await storedProject();
    const seats = new Map<string, number>();
    const waiting = new Map<string, readonly [number, number]>();
    for (let i = random(12); i > 0; i--) {
      const wallet = `wallet ${random(6)}`;
      const confirmed = random(20);
      const parkedAt = random(2) === 0 ? random(20) : null;
      const dates = { confirmedAt: at(confirmed), pausedAt: parkedAt === null ? null : at(parkedAt) };
      const expiresAt = new Date(world.now().getTime() + (random(3) - 1) * 3_600_000);
      const isCancelled = random(4) === 0;
      const cancellation = { confirmedAt: MADE_AT, expiresAt, behind: false, lapse: null };
      const given = isCancelled ? ({ status: 'cancelled', cancellation } as const) : {};
      // A wallet has one running subscription to a plan.
      const plan = ([0, 1, 2] as const)[random(3)] ?? 0;
      if ((await store(plan, { wallet, ...dates, ...given })) === 'lost') continue;
      if (isCancelled && expiresAt <= world.now()) continue;
      if (parkedAt === null) seats.set(wallet, Math.min(seats.get(wallet) ?? Infinity, confirmed));
      else {
        const place = [parkedAt, confirmed] as const;
        const [before = Infinity, its = Infinity] = waiting.get(wallet) ?? [];
        if (parkedAt < before || (parkedAt === before && confirmed < its)) waiting.set(wallet, place);
      }
    }
    const limit = random(8) === 0 ? null : random(6);
    const inOrder = [...seats].sort(([a, since], [b, other]) => since - other || (a < b ? -1 : 1));
    const kept = inOrder.slice(0, limit ?? Infinity).map(([wallet]) => wallet);
    const returning = [...waiting]
      .filter(([wallet]) => !seats.has(wallet))
      .sort(([a, one], [b, two]) => one[0] - two[0] || one[1] - two[1] || (a < b ? -1 : 1))
      .slice(0, limit === null ? Infinity : Math.max(0, limit - kept.length))
      .map(([wallet]) => wallet);
    await world.billing.project(project.id).update({ subscriber_limit: limit });
    const after = await seatsOf(project);
    expect({ run, seated: after.seated }).toEqual({ run, seated: new Set([...kept, ...returning]) });
  }
});

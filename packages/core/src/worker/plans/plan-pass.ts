import type { ChainResult, PlanView } from '../../ports/index.js';
import type { Plan, PlanId } from '../../records/index.js';
import { earlier, endShownOnChain, plus } from '../../rules/billing-periods.js';
import { planAsRead } from '../../rules/plan-on-chain.js';
import type { Service } from '../../service.js';
import { savePlan } from '../../settlement/save-plan.js';
import type { ClockOfPasses } from '../charges/clock-of-pass.js';

/** Plans that are read together: enough to fill the parallel calls of the chain adapter. */
const BATCH = 800;

/** Subscriptions of an ended plan that are made due in one write, so that no write holds up the others. */
const WOKEN_AT_ONCE = 500;

/** How long other workers do not see a claimed plan, and when an unread plan is read again. */
const LEASE_MS = 60_000;

/** How often a plan is read: a little more often than every ten minutes (plans#plan-read-again). */
const READ_EVERY_MS = 9 * 60_000;

/** How long until the second read of a plan that reads as gone (attempts#gone-needs-two-reads). */
const SECOND_READ_MS = 60_000;

/** How long a pass claims plans. The next pass does the rest. */
const CLAIM_FOR_MS = 5_000;

/**
 * Reads every due plan from the chain, follows its owner's changes, and makes the subscriptions of an ended
 * plan due.
 */
export async function runPlanPass(given: Service, clocks: ClockOfPasses): Promise<void> {
  let service: Service | null = null;
  const claimUntil = plus(given.clock.now(), CLAIM_FOR_MS);
  while (given.clock.now() < claimUntil) {
    const now = (service?.clock ?? clocks.known).now();
    const { claimed, unreadable } = await given.store.claimPlanChecks(now, BATCH, LEASE_MS);
    for (const { id, error } of unreadable)
      given.logger.error(
        { plan: id, err: error },
        'A plan cannot be read from the store, so its end and changes of it on chain are not noticed until its row is repaired.',
      );
    const count = claimed.length + unreadable.length;
    if (count === 0) return;
    service ??= { ...given, clock: await clocks.read() };
    if ((await checkPlans(service, claimed)) === 'unavailable' || count < BATCH) return;
  }
}

/** Reads claimed plans and acts on each. `unavailable`: the chain answered for none of them. */
async function checkPlans(service: Service, plans: readonly Plan[]): Promise<'read' | 'unavailable'> {
  const reads = await readPlans(service, plans).catch((err: unknown) => {
    service.logger.error(
      { err },
      'The plans could not be read from the chain. They are read again when their lease ends.',
    );
    return null;
  });
  if (reads === null) return 'unavailable';
  const now = service.clock.now();
  const scheduled = new Map<number | null, PlanId[]>();
  for (const plan of plans) {
    const read = reads.get(plan);
    const seen = read?.ok === true ? afterRead(plan, read.value, now) : plan;
    // Its lease ends before its next check, so that what follows is made up for when the process dies here.
    if (seen !== plan && (await savePlan(service, plan, seen)) === 'lost') continue;
    if (isOver(seen, now)) await wakeAll(service, seen, now);
    const time = nextCheckOf(seen, read?.ok === false, now)?.getTime() ?? null;
    const together = scheduled.get(time) ?? [];
    together.push(plan.id);
    scheduled.set(time, together);
  }
  for (const [time, ids] of scheduled)
    await service.store.schedulePlanChecks(ids, time === null ? null : new Date(time));
  return reads.size === 0 || [...reads.values()].some(({ ok }) => ok) ? 'read' : 'unavailable';
}

/** Reads the plans that are not closed; at `finalized` when the read before showed the plan as gone. */
async function readPlans(
  { chain }: Service,
  plans: readonly Plan[],
): Promise<ReadonlyMap<Plan, ChainResult<PlanView | null>>> {
  const open = plans.filter(({ status }) => status !== 'closed');
  const answers = new Map<Plan, ChainResult<PlanView | null>>();
  const read = async (batch: readonly Plan[], commitment: 'confirmed' | 'finalized'): Promise<void> => {
    if (batch.length === 0) return;
    const addresses = batch.map(({ address }) => address);
    const results = await chain.readPlans(addresses, commitment);
    for (const [index, plan] of batch.entries()) {
      const result = results[index];
      if (result !== undefined) answers.set(plan, result);
    }
  };
  await Promise.all([
    read(
      open.filter(({ goneSince }) => goneSince === null),
      'confirmed',
    ),
    read(
      open.filter(({ goneSince }) => goneSince !== null),
      'finalized',
    ),
  ]);
  return answers;
}

/** A plan after a read; the record itself when the read changes nothing. */
function afterRead(plan: Plan, view: PlanView | null, now: Date): Plan {
  if (view !== null) return planAsRead(plan, view);
  return plan.goneSince === null
    ? { ...plan, goneSince: now }
    : { ...plan, status: 'closed', goneSince: null };
}

/** Whether nothing goes on with a plan: it is closed, or the chain shows its end. */
function isOver({ status, endsAt }: Plan, now: Date): boolean {
  return status === 'closed' || (endsAt !== null && endShownOnChain(endsAt) <= now);
}

/**
 * Makes the running subscriptions of a plan due, so that each is read and ends
 * (plans#plan-end-within-minutes). Subscriptions that are due within a moment stay as they are.
 */
async function wakeAll({ store }: Service, { id }: Plan, now: Date): Promise<void> {
  while ((await store.wakeSubscribers(id, now, WOKEN_AT_ONCE)) === WOKEN_AT_ONCE);
}

function nextCheckOf({ status, goneSince, endsAt }: Plan, isUnread: boolean, now: Date): Date | null {
  if (status === 'closed') return null;
  const soon = isUnread ? LEASE_MS : goneSince === null ? READ_EVERY_MS : SECOND_READ_MS;
  const end = endsAt === null ? null : endShownOnChain(endsAt);
  return earlier(plus(now, soon), end !== null && now < end ? end : null);
}

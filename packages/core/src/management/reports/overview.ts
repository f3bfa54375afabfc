import { toWireDate } from '../../contract/scalars.js';
import type { AttemptPlace, ReportedAttempt, UnreadableRecord } from '../../ports/index.js';
import type { Plan, PlanId, Project } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { setAside } from '../read-rows.js';
import { add, addMoney, countAttempt, type MoneySums, moneyWire, noMoney } from './money-sums.js';
import type {
  AttemptCause,
  LossCause,
  Overview,
  OverviewQuery,
  PlanOverview,
  TokenOverview,
} from './schemas.js';

const DAY_MS = 86_400_000;

const STEP = 1000;

interface PlanSums {
  readonly plan: Plan;
  readonly money: MoneySums;
  readonly counts: Record<
    'new' | 'returned' | 'lost' | 'active' | 'late' | 'cancelled' | 'parked' | 'blocked',
    number
  >;
}

/**
 * Reads the last days of a project in figures (management#overview-of-a-project). Attempts are read in steps;
 * only sums stay in memory.
 */
export async function readOverview(
  service: Service,
  project: Project,
  { days }: OverviewQuery,
): Promise<Overview> {
  const { store } = service;
  const now = service.clock.now();
  // Events of this very instant count.
  const until = plus(now, 1);
  const since = plus(now, -days * DAY_MS);
  const plans = new PlanTable(service);
  const failures = new Map<string, AttemptCause>();
  const unreadable: UnreadableRecord[] = [];
  let after: AttemptPlace | null = null;
  do {
    const step = await store.listProjectAttempts(project.id, since, until, after, STEP);
    for (const attempt of step.attempts) {
      countAttempt((await plans.of(attempt.planId)).money, attempt);
      countFailure(failures, attempt);
    }
    unreadable.push(...step.unreadable);
    after = step.next;
  } while (after !== null);

  for (const { planId, status, count, parked, blocked } of await store.countRunning(project.id)) {
    const { plan, money, counts } = await plans.of(planId);
    counts[status === 'unpaid' ? 'late' : status] += count - parked;
    counts.parked += parked;
    counts.blocked += blocked;
    if (status === 'unpaid')
      add(money.owed, { count: count - parked, amount: BigInt(count - parked) * plan.amount });
  }
  for (const { planId, count, comebacks } of await store.countBegun(project.id, since, until)) {
    const { counts } = await plans.of(planId);
    counts.new += count - comebacks;
    counts.returned += comebacks;
  }
  const losses = new Map<string, LossCause>();
  for (const { planId, reason, count } of await store.countLost(project.id, since, until)) {
    (await plans.of(planId)).counts.lost += count;
    const counted = losses.get(String(reason))?.count ?? 0;
    losses.set(String(reason), { reason, count: counted + count });
  }

  const sums = plans.sorted();
  const total = (name: 'new' | 'returned' | 'lost') =>
    sums.reduce((sum, { counts }) => sum + counts[name], 0);
  return {
    since: toWireDate(since),
    until: toWireDate(now),
    tokens: tokensOf(sums),
    plans: sums.map(planOverview),
    new: total('new'),
    returned: total('returned'),
    lost: total('lost'),
    lost_causes: [...losses.values()].sort(mostFirst),
    failure_causes: [...failures.values()].sort(mostFirst),
    unpriced: sums.reduce((sum, { money }) => sum + money.collected.unpriced, 0),
    unreadable: setAside(service, unreadable, 'An attempt was left out of an overview'),
  };
}

/** The sums of each plan, which is read once, when it is first counted. */
class PlanTable {
  readonly #service: Service;
  readonly #sums = new Map<PlanId, PlanSums>();

  constructor(service: Service) {
    this.#service = service;
  }

  async of(id: PlanId): Promise<PlanSums> {
    const counted = this.#sums.get(id);
    if (counted !== undefined) return counted;
    const plan = await this.#service.store.findPlan(id);
    if (plan === null) throw new Error(`Plan ${id}, which subscriptions name, is not in the store.`);
    const counts = { new: 0, returned: 0, lost: 0, active: 0, late: 0, cancelled: 0, parked: 0, blocked: 0 };
    const sums = { plan, money: noMoney(), counts };
    this.#sums.set(id, sums);
    return sums;
  }

  /** By slug, and by id where a plan that failed left its slug to another. */
  sorted(): readonly PlanSums[] {
    const order = ({ plan }: PlanSums) => `${plan.slug} ${plan.id}`;
    return [...this.#sums.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
  }
}

function countFailure(causes: Map<string, AttemptCause>, { outcome, reason }: ReportedAttempt): void {
  if (outcome === 'paid' || reason === null) return;
  const key = `${outcome} ${reason}`;
  causes.set(key, { outcome, reason, count: (causes.get(key)?.count ?? 0) + 1 });
}

/** The most frequent cause first, and by name among equally frequent ones. */
function mostFirst(one: AttemptCause | LossCause, other: AttemptCause | LossCause): number {
  return other.count - one.count || (String(one.reason) < String(other.reason) ? -1 : 1);
}

function planOverview({ plan, money, counts }: PlanSums): PlanOverview {
  return { plan: plan.slug, mint: plan.mint, decimals: plan.decimals, ...moneyWire(money), ...counts };
}

function tokensOf(sums: readonly PlanSums[]): TokenOverview[] {
  const tokens = new Map<string, { readonly decimals: number; readonly money: MoneySums }>();
  for (const { plan, money } of sums) {
    const token = tokens.get(plan.mint) ?? { decimals: plan.decimals, money: noMoney() };
    addMoney(token.money, money);
    tokens.set(plan.mint, token);
  }
  return [...tokens]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([mint, { decimals, money }]) => ({ mint, decimals, ...moneyWire(money) }));
}

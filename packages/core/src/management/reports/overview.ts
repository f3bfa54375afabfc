import { toAmountText, toWireDate } from '../../contract/scalars.js';
import type { RunningCount } from '../../ports/index.js';
import { dayOf, plusDays, sumOfSums, type Plan, type Project, type Sums } from '../../records/index.js';
import type { Service } from '../../service.js';
import { causesOf, failureCausesOf, moneyOf, movedOf } from './figure-sums.js';
import type { CountAndAmount, Overview, OverviewQuery, PlanOverview, TokenOverview } from './schemas.js';

/** What a plan took in within the days, and what of it runs now. */
interface OfPlan {
  readonly plan: Plan;
  readonly sums: Sums;
  readonly running: readonly RunningCount[];
}

/** Reads the last days of a project in figures (management#overview-of-a-project). */
export async function readOverview(
  { store, clock }: Service,
  project: Project,
  { days }: OverviewQuery,
): Promise<Overview> {
  const now = clock.now();
  const since = plusDays(dayOf(now), 1 - days);
  const [plans, figures, running] = await Promise.all([
    store.listPlans(project.id, null),
    store.readFigures(project.id, since, plusDays(dayOf(now), 1), 'sums'),
    store.countRunning(project.id),
  ]);
  const all = plans
    .map((plan): OfPlan => {
      const ofPlan = ({ planId }: { readonly planId: Plan['id'] }) => planId === plan.id;
      const sums = sumOfSums(figures.filter(ofPlan).map((day) => day.sums));
      return { plan, sums, running: running.filter(ofPlan) };
    })
    .filter(({ sums, running }) => Object.keys(sums).length > 0 || running.length > 0)
    .sort((one, other) => (order(one.plan) < order(other.plan) ? -1 : 1));
  const sums = sumOfSums(all.map((one) => one.sums));
  return {
    since: toWireDate(since),
    until: toWireDate(now),
    tokens: tokensOf(all),
    plans: all.map(planOverview),
    ...movedOf(sums),
    lost_causes: causesOf(sums, 'ended/'),
    failure_causes: failureCausesOf(sums),
    unpriced: Number(sums['paid.unpriced'] ?? 0n),
  };
}

/** By slug, and by id where a plan that failed left its slug to another. */
function order({ slug, id }: Plan): string {
  return `${slug} ${id}`;
}

function planOverview(one: OfPlan): PlanOverview {
  const { plan, sums, running } = one;
  const sum = (name: 'count' | 'parked' | 'blocked', status?: RunningCount['status']) =>
    running
      .filter((row) => status === undefined || row.status === status)
      .reduce((total, row) => total + row[name] - (name === 'count' ? row.parked : 0), 0);
  return {
    plan: plan.slug,
    ...{ mint: plan.mint, decimals: plan.decimals, ...moneyOfPlans([one]) },
    ...movedOf(sums),
    active: sum('count', 'active'),
    late: sum('count', 'unpaid'),
    cancelled: sum('count', 'cancelled'),
    parked: sum('parked'),
    blocked: sum('blocked'),
  };
}

function tokensOf(all: readonly OfPlan[]): TokenOverview[] {
  return [...new Set(all.map(({ plan }) => plan.mint))].sort().map((mint) => {
    const ofToken = all.filter(({ plan }) => plan.mint === mint);
    return { mint, decimals: ofToken[0]?.plan.decimals ?? 0, ...moneyOfPlans(ofToken) };
  });
}

/** The money of plans in one token. */
function moneyOfPlans(plans: readonly OfPlan[]): Omit<TokenOverview, 'mint' | 'decimals'> {
  const { collected, failed, recovered } = moneyOf(sumOfSums(plans.map(({ sums }) => sums)));
  return { collected, failed, won_back: recovered, owed: owedOf(plans) };
}

/** The price of the missed period of each late subscription that is not parked. */
function owedOf(plans: readonly OfPlan[]): CountAndAmount {
  const late = plans.flatMap(({ plan, running }) =>
    running
      .filter(({ status }) => status === 'unpaid')
      .map(({ count, parked }) => ({ count: count - parked, price: plan.amount })),
  );
  return {
    count: late.reduce((sum, { count }) => sum + count, 0),
    amount: toAmountText(late.reduce((sum, { count, price }) => sum + BigInt(count) * price, 0n)),
  };
}

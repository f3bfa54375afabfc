import { ServiceError } from '../../contract/errors.js';
import { toAmountText } from '../../contract/scalars.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import { requirePlan } from '../../operations/require.js';
import {
  dayOf,
  latestPrice,
  plusDays,
  sumOfSums,
  sumsUnder,
  type KnownPrice,
  type Plan,
  type PlanId,
  type Project,
  type Sums,
} from '../../records/index.js';
import { usdText } from '../../rules/money.js';
import { monthlyRevenue, worthInMillionths } from '../../rules/recurring-revenue.js';
import { tokenName, type KnownTokens } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { dateText, dayOfText } from './date-text.js';
import { causesOf, countUnder, failureCausesOf, moneyOf, movedOf } from './figure-sums.js';
import type { FigureReport, FigureRow, FiguresQuery, FigureTotals, TokenFigures } from './figure-schemas.js';

/** The longest span: three years, one of them a leap year. */
const MOST_DAYS = 1_096;

/** How many rows a report may have. */
const MOST_ROWS = 10_000;

/** What a plan has at the end of a part. */
interface Standing {
  readonly running: number;
  readonly recurring: number;
}

type Standings = ReadonlyMap<PlanId, Standing>;

/** Sums by the token of their plans. */
type TokenSums = ReadonlyMap<string, Sums>;

/** A part of the span: the sums of its days, and what there is at its end. */
interface Part {
  readonly date: Date;
  readonly sums: Map<PlanId, readonly Sums[]>;
  readonly standings: Map<PlanId, Standing>;
  /** The price of each token that was known last. */
  readonly prices: Map<string, KnownPrice>;
}

/** Reads the figures of a span of days (figures#reports). */
export async function readFigureReport(
  service: Service,
  project: Project,
  query: FiguresQuery,
): Promise<FigureReport> {
  const { from, to } = spanOf(query, service.clock.now());
  const plans = await plansOf(service, project, query);
  const { before, parts } = await readParts(service, project, plans, { from, to, by: query.by });
  const listed = [...plans.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
  if (query.per === 'plan' && parts.length * listed.length > MOST_ROWS)
    throw refused(
      `These are ${parts.length * listed.length} rows, and a report has ${MOST_ROWS} at most. Ask for one plan, a shorter span, or by month.`,
    );
  const tokens = await readKnownTokens(service);
  const ofTokens = parts.map((part) => sumsOfTokens(part, listed));
  const data = parts.flatMap((part, at) => {
    const ran = parts[at - 1]?.standings ?? before;
    return query.per === 'project'
      ? [rowOf(part, ran, null, listed, ofTokens[at] ?? new Map(), tokens)]
      : listed.map((plan) => rowOf(part, ran, plan, [plan], sumsOfTokens(part, [plan]), tokens));
  });
  return {
    from: dateText(from),
    to: dateText(to),
    by: query.by,
    data,
    total: totalOf(parts.at(-1), before, listed, joined(ofTokens), tokens),
  };
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_request', { message });
}

export function spanOf(
  query: Pick<FiguresQuery, 'from' | 'days' | 'to'>,
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const today = dayOf(now);
  const asked = query.to === undefined ? today : dayOfText(query.to);
  const to = asked > today ? today : asked;
  if (query.from !== undefined && query.days !== undefined)
    throw refused('from and days both say where the span begins. Name one of them.');
  const { from: first, days = 30 } = query;
  const from = first === undefined ? plusDays(to, 1 - days) : dayOfText(first);
  if (from > to)
    throw refused(
      `from (${dateText(from)}) is after ${asked > to ? 'today' : 'to'} (${dateText(to)}, in UTC). Name an earlier day.`,
    );
  if (to >= plusDays(from, MOST_DAYS))
    throw refused(`A report covers ${MOST_DAYS} days at most. Name a later from, or an earlier to.`);
  return { from, to };
}

export async function plansOf(
  service: Service,
  project: Project,
  { plan, mint }: Pick<FiguresQuery, 'plan' | 'mint'>,
): Promise<ReadonlyMap<PlanId, Plan>> {
  const plans =
    plan === undefined
      ? await service.store.listPlans(project.id, null)
      : [await requirePlan(service, project, plan)];
  const ofToken = plans.filter((one) => mint === undefined || one.mint === mint);
  return new Map(ofToken.map((one) => [one.id, one]));
}

/** By slug, and by id where a plan that failed left its slug to another. */
function order({ slug, id }: Plan): string {
  return `${slug} ${id}`;
}

async function readParts(
  { store }: Service,
  { id }: Project,
  plans: ReadonlyMap<PlanId, Plan>,
  { from, to, by }: { readonly from: Date; readonly to: Date; readonly by: FiguresQuery['by'] },
): Promise<{ readonly before: Standings; readonly parts: readonly Part[] }> {
  const standings = new Map<PlanId, Standing>();
  const prices = new Map<string, KnownPrice>();
  const learn = (mint: string, price: KnownPrice | null) => {
    const latest = latestPrice(prices.get(mint) ?? null, price);
    if (latest !== null) prices.set(mint, latest);
  };
  for (const { planId, running, recurring, price } of await store.readFiguresBefore(id, from)) {
    const plan = plans.get(planId);
    if (plan === undefined) continue;
    standings.set(planId, { running, recurring });
    learn(plan.mint, price);
  }
  const before = new Map(standings);
  const rows = (await store.readFigures(id, from, plusDays(to, 1), 'sums')).values();
  let row = rows.next();
  const parts: Part[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    const last = parts.at(-1);
    const part =
      last !== undefined && startOf(day, by).getTime() === startOf(last.date, by).getTime()
        ? last
        : newPart(day);
    if (part !== last) parts.push(part);
    for (; row.done !== true && row.value.day.getTime() === day.getTime(); row = rows.next()) {
      const { planId, running, recurring, price, sums } = row.value;
      const plan = plans.get(planId);
      if (plan === undefined) continue;
      const standing = standings.get(planId) ?? { running: 0, recurring: 0 };
      standings.set(planId, {
        running: standing.running + running,
        recurring: standing.recurring + recurring,
      });
      learn(plan.mint, price);
      part.sums.set(planId, [...(part.sums.get(planId) ?? []), sums]);
    }
    for (const [planId, standing] of standings) part.standings.set(planId, standing);
    for (const [mint, price] of prices) part.prices.set(mint, price);
  }
  return { before, parts };
}

function newPart(date: Date): Part {
  return { date, sums: new Map(), standings: new Map(), prices: new Map() };
}

/** The first day of the week or month of a day. */
export function startOf(day: Date, by: FiguresQuery['by']): Date {
  if (by === 'day') return day;
  if (by === 'month') return plusDays(day, 1 - day.getUTCDate());
  return plusDays(day, -((day.getUTCDay() + 6) % 7));
}

/** The sums of a part by the token of the plans that have any. */
function sumsOfTokens({ sums }: Part, plans: readonly Plan[]): TokenSums {
  const ofTokens = new Map<string, Sums[]>();
  for (const { id, mint } of plans) {
    const ofPlan = sums.get(id);
    if (ofPlan !== undefined) ofTokens.set(mint, [...(ofTokens.get(mint) ?? []), ...ofPlan]);
  }
  return new Map([...ofTokens].map(([mint, all]) => [mint, sumOfSums(all)]));
}

/** Adds up the sums of parts by token. */
function joined(parts: readonly TokenSums[]): TokenSums {
  const mints = new Set(parts.flatMap((sums) => [...sums.keys()]));
  return new Map([...mints].map((mint) => [mint, sumOfSums(parts.flatMap((sums) => sums.get(mint) ?? []))]));
}

function rowOf(
  part: Part,
  before: Standings,
  plan: Plan | null,
  plans: readonly Plan[],
  sums: TokenSums,
  tokens: KnownTokens,
): FigureRow {
  return {
    date: dateText(part.date),
    plan: plan?.slug ?? null,
    ...figuresOf(part, before, plans, sums, tokens),
  };
}

/** The figures of some plans in a part with the sums of their tokens, before which they had something. */
function figuresOf(
  { standings, prices }: Part,
  before: Standings,
  plans: readonly Plan[],
  sums: TokenSums,
  tokens: KnownTokens,
): Omit<FigureRow, 'date' | 'plan'> {
  const standing = (name: keyof Standing, of: Standings = standings) =>
    plans.reduce((sum, { id }) => sum + (of.get(id)?.[name] ?? 0), 0);
  const mints = new Set([
    ...sums.keys(),
    ...plans.filter(({ id }) => standings.has(id)).map(({ mint }) => mint),
  ]);
  const worths: (bigint | null)[] = [];
  const money = [...mints].sort().map((mint): TokenFigures => {
    const ofToken = plans.filter((plan) => plan.mint === mint);
    const [first] = ofToken;
    if (first === undefined) throw new Error(`No plan has the token ${mint}.`);
    const mrr = ofToken.reduce(
      (sum, plan) => sum + monthlyRevenue(plan, standings.get(plan.id)?.recurring ?? 0),
      0n,
    );
    const dollars = mrr === 0n ? 0n : worthInMillionths(mrr, prices.get(mint) ?? null);
    worths.push(dollars);
    return {
      mint,
      symbol: tokenName(first, tokens).unit,
      decimals: first.decimals,
      ...moneyOf(sums.get(mint) ?? {}),
      mrr: { amount: toAmountText(mrr), amount_usd: dollars === null ? null : usdText(dollars) },
    };
  });
  const all = sumOfSums([...sums.values()]);
  return {
    tokens: money,
    mrr_usd: worths.includes(null)
      ? null
      : usdText(worths.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n)),
    fees_lamports: toAmountText(all.fees ?? 0n),
    ...movedOf(all),
    active: standing('running'),
    recurring: standing('recurring'),
    churn_rate: shareOf(churnedOf(all), standing('running', before)),
  };
}

function totalOf(
  last: Part | undefined,
  before: Standings,
  plans: readonly Plan[],
  sums: TokenSums,
  tokens: KnownTokens,
): FigureTotals {
  if (last === undefined) throw new Error('A span has at least one day.');
  const all = sumOfSums([...sums.values()]);
  return {
    ...figuresOf(last, before, plans, sums, tokens),
    lost_causes: causesOf(all, 'ended/'),
    lapsed_causes: causesOf(all, 'lapsed/'),
    failure_causes: failureCausesOf(all),
    retries: retriesOf(all),
    recovery_rate: shareOf(Number(all.recovered ?? 0n), countUnder(all, 'failed/')),
  };
}

function retriesOf(sums: Sums): FigureTotals['retries'] {
  const [paid, failed] = [new Map(sumsUnder(sums, 'retry.paid/')), new Map(sumsUnder(sums, 'retry.failed/'))];
  return [...new Set([...paid.keys(), ...failed.keys()])]
    .map((key) => {
      const [won, lost] = [Number(paid.get(key) ?? 0n), Number(failed.get(key) ?? 0n)];
      return {
        number: key === 'hand' ? null : Number(key),
        paid: won,
        failed: lost,
        rate: shareOf(won, won + lost),
      };
    })
    .sort((one, other) => (one.number ?? Infinity) - (other.number ?? Infinity));
}

/** What ended and left: whoever changes to another plan stays (plan-changes#figures-of-a-change). */
function churnedOf(sums: Sums): number {
  return countUnder(sums, 'ended/') - Number(sums['ended/plan_changed'] ?? 0n);
}

/** A share to four decimals; null of nothing. */
function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

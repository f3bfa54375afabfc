import type { AttemptId, FiguresId, PlanId, ProjectId } from './ids.js';

/**
 * The names of sums. Amounts are in the token's smallest unit, `paid.usd` in millionths of a dollar, `fees`
 * in lamports. After a slash stands a reason, an outcome with its reason, the number of a retry, or
 * what is due at which hour of the day.
 */
export type SumName =
  | 'paid'
  | 'paid.amount'
  | 'paid.usd'
  | 'paid.unpriced'
  | 'recovered'
  | 'recovered.amount'
  | 'fees'
  | `failed/${string}`
  | `failed.amount/${string}`
  | `unpaid/${string}/${string}`
  | `retry.paid/${string}`
  | `retry.failed/${string}`
  | 'new'
  | 'comeback'
  | 'reinstated'
  | 'restored'
  | `ended/${string}`
  | `lapsed/${string}`
  | `due/${string}`;

/** The names of the sums that tell of a cohort, each with its month. */
export type CohortName = `begun/${string}` | `cohort/${string}`;

/** Sums by name, without those of 0. */
export type Sums<Name extends string = SumName> = Readonly<Partial<Record<Name, bigint>>>;

/** A price of a token: the US dollars of an attempt beside its amount. */
export interface KnownPrice {
  readonly at: Date;
  readonly attemptId: AttemptId;
  readonly amount: bigint;
  readonly amountUsd: string;
}

/** The facts of a plan on one day in UTC. Those of one plan and day add up. */
export interface DayFigures {
  readonly projectId: ProjectId;
  readonly planId: PlanId;
  /** The first instant of the day. */
  readonly day: Date;
  /** By how many more subscriptions run at the end of the day than at its start. */
  readonly running: number;
  /** By how many more recur. */
  readonly recurring: number;
  /** The price known last on that day; null without any. */
  readonly price: KnownPrice | null;
  readonly sums: Sums;
  /** Apart from the others, which are read far more often: a day may have one for each month before it. */
  readonly cohorts: Sums<CohortName>;
}

/** Figures to add to those of their plan and day. */
export interface AddedFigures extends DayFigures {
  readonly id: FiguresId;
}

/** Adds figures of one plan and day. The order in which figures are added makes no difference. */
export function sumOfFigures<Figures extends DayFigures>(one: Figures, other: DayFigures): Figures {
  return {
    ...one,
    running: one.running + other.running,
    recurring: one.recurring + other.recurring,
    price: latestPrice(one.price, other.price),
    sums: sumOfSums([one.sums, other.sums]),
    cohorts: sumOfSums([one.cohorts, other.cohorts]),
  };
}

/** The later of two prices, and of one instant that of the greater id. */
export function latestPrice(one: KnownPrice | null, other: KnownPrice | null): KnownPrice | null {
  if (one === null || other === null) return one ?? other;
  const later = other.at.getTime() - one.at.getTime() || (other.attemptId > one.attemptId ? 1 : -1);
  return later > 0 ? other : one;
}

/** Adds sums by their names. */
export function sumOfSums<Name extends string>(all: readonly Sums<Name>[]): Sums<Name> {
  const total = new Map<Name, bigint>();
  for (const sums of all)
    for (const name of Object.keys(sums) as Name[])
      total.set(name, (total.get(name) ?? 0n) + (sums[name] ?? 0n));
  return Object.fromEntries([...total].filter(([, sum]) => sum !== 0n)) as Sums<Name>;
}

/** The sums whose names begin with a prefix, by what follows it. */
export function sumsUnder<Name extends string>(
  sums: Sums<Name>,
  prefix: string,
): readonly (readonly [rest: string, sum: bigint])[] {
  return (Object.keys(sums) as Name[])
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name.slice(prefix.length), sums[name] ?? 0n]);
}

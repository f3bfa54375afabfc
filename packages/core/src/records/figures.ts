import type { AttemptId, FiguresId, PlanId, ProjectId } from './ids.js';

/**
 * The names of sums. Amounts are in the token's smallest unit, `paid.usd` in millionths of a dollar, `fees`
 * in lamports. After a slash stands a reason, an outcome with its reason, the number of a retry, or a month.
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
  | `begun/${string}`
  | `cohort/${string}`;

/** Sums by name, without those of 0. */
export type Sums = Readonly<Partial<Record<SumName, bigint>>>;

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
}

/** Figures to add to those of their plan and day. */
export interface AddedFigures extends DayFigures {
  readonly id: FiguresId;
}

const DAY_MS = 86_400_000;

/** The first instant of the day in UTC. */
export function dayOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
}

/** Adds figures of one plan and day. The order in which figures are added makes no difference. */
export function sumOfFigures<Figures extends DayFigures>(one: Figures, other: DayFigures): Figures {
  return {
    ...one,
    running: one.running + other.running,
    recurring: one.recurring + other.recurring,
    price: latestPrice(one.price, other.price),
    sums: sumOfSums(one.sums, other.sums),
  };
}

/** The later of two prices, and of one instant that of the greater id. */
export function latestPrice(one: KnownPrice | null, other: KnownPrice | null): KnownPrice | null {
  if (one === null || other === null) return one ?? other;
  const later = other.at.getTime() - one.at.getTime() || (other.attemptId > one.attemptId ? 1 : -1);
  return later > 0 ? other : one;
}

/** Adds sums by their names. */
export function sumOfSums(one: Sums, other: Sums): Sums {
  const sums = new Map(Object.entries(one) as [SumName, bigint][]);
  for (const [name, value] of Object.entries(other) as [SumName, bigint][])
    sums.set(name, (sums.get(name) ?? 0n) + value);
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n)) as Sums;
}

import type { Random } from '../ports/index.js';
import { dayOf, newId, sumOfFigures, sumsUnder } from '../records/index.js';
import type {
  AddedFigures,
  Attempt,
  DayFigures,
  DueSubscription,
  KnownPrice,
  Movement,
  Plan,
  PlanId,
  ProjectId,
  SumName,
  Sums,
} from '../records/index.js';
import { plus } from './billing-periods.js';
import { dueCharge, type DueCharge } from './charge-schedule.js';
import { usdMillionths } from './money.js';

const HOUR_MS = 3_600_000;

/** The fields of an attempt that figures count. */
export type CountedAttempt = Pick<
  Attempt,
  'id' | 'attemptedAt' | 'outcome' | 'reason' | 'amount' | 'amountUsd' | 'fee' | 'retry' | 'retryNumber'
>;

interface Of {
  readonly projectId: ProjectId;
  readonly planId: PlanId;
}

/** What figures that count something else leave as it is. */
const NOTHING = { running: 0, recurring: 0, price: null, sums: {}, cohorts: {} } as const;

/** What an attempt adds to the figures of its day (figures#names-of-the-sums). */
export function figuresOfAttempt({ projectId, planId }: Of, attempt: CountedAttempt): DayFigures {
  const { attemptedAt, fee } = attempt;
  return {
    projectId,
    planId,
    day: dayOf(attemptedAt),
    ...NOTHING,
    price: priceOf(attempt),
    sums: { ...sumsOfAttempt(attempt), ...(fee === null || fee === 0n ? {} : { fees: fee }) },
  };
}

/** What a price that came later adds to the figures of its attempt's day. */
export function figuresOfPrice(
  { projectId, planId }: Of,
  attempt: Pick<CountedAttempt, 'id' | 'attemptedAt' | 'outcome' | 'amount'> & { readonly amountUsd: string },
): DayFigures {
  const { attemptedAt, outcome, amountUsd } = attempt;
  const dollars = outcome === 'paid' ? usdMillionths(amountUsd) : null;
  const sums: Sums = dollars === null ? {} : { 'paid.unpriced': -1n, ...counted('paid.usd', dollars) };
  return { projectId, planId, day: dayOf(attemptedAt), ...NOTHING, price: priceOf(attempt), sums };
}

/** What a movement adds to the figures of its day. */
export function figuresOfMovement({
  projectId,
  planId,
  at,
  kind,
  reason,
  recurring,
  begunAt,
}: Movement): DayFigures {
  const running = kind === 'ended' ? -1 : kind === 'lapsed' || kind === 'restored' ? 0 : 1;
  const month = monthOf(begunAt);
  const name: SumName = kind === 'ended' || kind === 'lapsed' ? `${kind}/${reason ?? 'unknown'}` : kind;
  return {
    projectId,
    planId,
    day: dayOf(at),
    running,
    recurring,
    price: null,
    sums: { [name]: 1n },
    cohorts: {
      ...(kind === 'new' || kind === 'comeback' ? { [`begun/${month}`]: 1n } : {}),
      ...counted(`cohort/${month}`, BigInt(running)),
    },
  };
}

/**
 * The next charge or retry of a subscription among the figures of the day on which it is due.
 * @param count 1 to add it, -1 to take it away
 */
export function figuresOfDue(
  subscription: DueSubscription & Of,
  plan: Plan,
  count: 1n | -1n,
): readonly DayFigures[] {
  const { projectId, planId } = subscription;
  const due = dueCharge(subscription, plan);
  if (due === null) return [];
  const { kind, at, hoursToNext } = due;
  const name: SumName = `due/${kind}/${at.getUTCHours()}/${hoursToNext ?? ''}`;
  return [{ projectId, planId, day: dayOf(at), ...NOTHING, sums: { [name]: count } }];
}

/** The sums of what is due, without any others. */
export function dueOnly(figures: DayFigures): DayFigures {
  const due = Object.entries(figures.sums).filter(([name]) => name.startsWith('due/'));
  return { ...figures, ...NOTHING, sums: Object.fromEntries(due) as Sums };
}

/** What is due on the day of figures, and how many of each. */
export function dueOf({ day, sums }: DayFigures): readonly (DueCharge & { readonly count: number })[] {
  return sumsUnder(sums, 'due/').map(([rest, count]) => {
    const [kind, hour, hoursToNext] = rest.split('/');
    return {
      kind: kind as DueCharge['kind'],
      at: plus(day, Number(hour) * HOUR_MS),
      hoursToNext: hoursToNext === '' ? null : Number(hoursToNext),
      count: Number(count),
    };
  });
}

/** Adds up figures, so that one is left for each plan and day that anything is left of. */
export function byPlanAndDay(figures: readonly DayFigures[]): readonly DayFigures[] {
  const sums = new Map<string, DayFigures>();
  for (const one of figures) {
    const key = `${one.planId} ${one.day.getTime()}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? one : sumOfFigures(sum, one));
  }
  return [...sums.values()].filter(isAny);
}

/** Whether figures say anything. */
export function isAny({ running, recurring, price, sums, cohorts }: DayFigures): boolean {
  const isCounted = running !== 0 || recurring !== 0 || price !== null;
  return isCounted || Object.keys(sums).length > 0 || Object.keys(cohorts).length > 0;
}

/** Figures to add, each with an id of its own. */
export function withIds(random: Random, figures: readonly DayFigures[]): readonly AddedFigures[] {
  return figures.map((one) => ({ id: newId(random, 'fig'), ...one }));
}

/** The month of an instant in UTC, such as `2026-10`. */
export function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}

function sumsOfAttempt({ outcome, reason, amount, amountUsd, retry, retryNumber }: CountedAttempt): Sums {
  const number = retryNumber === null ? 'hand' : String(retryNumber);
  const dollars = amountUsd === null ? null : usdMillionths(amountUsd);
  if (outcome === 'paid')
    return {
      paid: 1n,
      ...counted('paid.amount', amount),
      ...(dollars === null ? { 'paid.unpriced': 1n } : counted('paid.usd', dollars)),
      ...(retry
        ? { recovered: 1n, ...counted('recovered.amount', amount), [`retry.paid/${number}`]: 1n }
        : {}),
    };
  const unpaid: Sums = { [`unpaid/${outcome}/${reason}`]: 1n };
  if (outcome !== 'rejected') return unpaid;
  return retry
    ? { ...unpaid, [`retry.failed/${number}`]: 1n }
    : { ...unpaid, [`failed/${reason}`]: 1n, ...counted(`failed.amount/${reason}`, amount) };
}

/** A sum, unless it is 0. */
function counted<Name extends string>(name: Name, value: bigint): Sums<Name> {
  return (value === 0n ? {} : { [name]: value }) as Sums<Name>;
}

function priceOf({
  id,
  attemptedAt,
  amount,
  amountUsd,
}: Pick<CountedAttempt, 'id' | 'attemptedAt' | 'amount' | 'amountUsd'>): KnownPrice | null {
  return amountUsd === null || amount === 0n || usdMillionths(amountUsd) === null
    ? null
    : { at: attemptedAt, attemptId: id, amount, amountUsd };
}

import type {
  AttemptPlace,
  DuePlace,
  DueSubscriptions,
  FullStoreOperations,
  MovementPlace,
  UnreadableRecord,
} from '../../ports/index.js';
import { UnreadableFigures } from '../../ports/unreadable-figures.js';
import {
  dayOf,
  daysUntil,
  plusDays,
  type DayFigures,
  type Project,
  type SubscriptionId,
} from '../../records/index.js';
import {
  byPlanAndDay,
  dueOnly,
  figuresOfAttempt,
  figuresOfDue,
  figuresOfMovement,
  isAny,
  withIds,
} from '../../rules/figures.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { setAside } from '../read-rows.js';
import { dateText, dayOfText } from './date-text.js';
import type { RebuildBody, Rebuilt } from './figure-schemas.js';

/** How many days ahead a charge may be due. */
const AHEAD = 366;

/** How many days, and attempts and due charges, a call counts at most, but for those of its first day. */
const MOST = { days: 31, attempts: 20_000 } as const;

const STEP = 1000;

/**
 * Counts days of a project anew from its attempts, movements and due charges, and replaces the figures that
 * differ (figures#rebuild). Each day is one transaction, so what is written meanwhile is counted once.
 */
export async function rebuildFigures(
  service: Service,
  project: Project,
  { from }: RebuildBody,
): Promise<Rebuilt> {
  requireCapability(service, 'FigureStore');
  const today = dayOf(service.clock.now());
  const last = plusDays(today, AHEAD);
  const first = from === undefined ? dayOf(project.createdAt) : dayOfText(from);
  const unreadable: UnreadableRecord[] = [];
  let [changed, attempts, days] = [0, 0, 0];
  let day = first;
  for (; day <= last && days < MOST.days && (days === 0 || attempts < MOST.attempts);) {
    const counted = await service.store.transaction(async (operations) => {
      const recount = await recountDay(operations, project, day);
      const stored = await readStored(operations, project, day);
      // What is due by a damaged record is taken away by its next change, so it must stay until then.
      const due = recount.due ?? stored?.map(dueOnly) ?? [];
      const figures = byPlanAndDay([...recount.figures, ...due]);
      const isSame = stored !== null && textOf(stored) === textOf(figures);
      if (!isSame) await operations.replaceFigures(project.id, day, withIds(service.random, figures));
      return { ...recount, isSame, isEmpty: isSame && figures.length === 0 };
    });
    attempts += counted.attempts;
    changed += counted.isSame ? 0 : 1;
    unreadable.push(...counted.unreadable);
    // Most days ahead have nothing, and cost next to nothing.
    if (day <= today || !counted.isEmpty) days += 1;
    day = plusDays(day, 1);
  }
  const left = day > last ? 0 : daysUntil(day, last) + 1;
  return {
    from: dateText(first),
    to: dateText(days === 0 ? first : plusDays(day, -1)),
    changed,
    left,
    next: left === 0 ? null : dateText(day),
    unreadable: setAside(service, unreadable, 'A record was left out of the figures'),
  };
}

/** The figures of a day as they are stored; null when they cannot be read, and so must be replaced. */
async function readStored(operations: FullStoreOperations, { id }: Project, day: Date) {
  return operations.readFigures(id, day, plusDays(day, 1)).catch((error: unknown) => {
    if (error instanceof UnreadableFigures) return null;
    throw error;
  });
}

async function recountDay(operations: FullStoreOperations, { id }: Project, day: Date) {
  const until = plusDays(day, 1);
  const unreadable: UnreadableRecord[] = [];
  let figures: readonly DayFigures[] = [];
  /** Null when a record of the day could not be read. */
  let due: readonly DayFigures[] | null = [];
  let attempts = 0;
  for (let after: AttemptPlace | null = null; ;) {
    const step = await operations.listProjectAttempts(id, day, until, after, STEP);
    const added = step.attempts.map((attempt) =>
      figuresOfAttempt({ projectId: id, planId: attempt.planId }, attempt),
    );
    figures = byPlanAndDay([...figures, ...added]);
    attempts += added.length;
    unreadable.push(...step.unreadable);
    if (step.next === null) break;
    after = step.next;
  }
  for (let after: MovementPlace | null = null; ;) {
    const step = await operations.listMovements(id, day, until, after, STEP);
    figures = byPlanAndDay([...figures, ...step.movements.map(figuresOfMovement)]);
    unreadable.push(...step.unreadable);
    if (step.next === null) break;
    after = step.next;
  }
  for (let after: DuePlace | null = { at: day, id: '' as SubscriptionId }; after !== null;) {
    const step: DueSubscriptions = await operations.listByNextTry(id, after, STEP, until);
    const added = step.due.flatMap(({ subscription, plan }) =>
      figuresOfDue({ projectId: id, ...subscription }, plan, 1n),
    );
    due = step.unreadable.length > 0 || due === null ? null : byPlanAndDay([...due, ...added]);
    attempts += step.due.length;
    unreadable.push(...step.unreadable);
    after = step.next;
  }
  return { figures, due, attempts, unreadable };
}

/** Figures as a text that is the same for equal ones. */
function textOf(figures: readonly DayFigures[]): string {
  // A day without anything left may have a row or none.
  const rows = figures.filter(isAny).map(({ planId, running, recurring, price, sums, cohorts }) => {
    const { at, attemptId, amount, amountUsd } = price ?? {};
    const known = price === null ? null : [at?.getTime(), attemptId, String(amount), amountUsd];
    const names = Object.entries({ ...sums, ...cohorts }).map(([name, sum]) => `${name} ${sum}`);
    return [planId, running, recurring, known, names.sort()];
  });
  return JSON.stringify(rows.sort((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)));
}

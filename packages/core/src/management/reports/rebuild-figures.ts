import type {
  AttemptPlace,
  FullStoreOperations,
  MovementPlace,
  UnreadableRecord,
} from '../../ports/index.js';
import { dayOf, type DayFigures, type Project } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import { byPlanAndDay, figuresOfAttempt, figuresOfMovement, withIds } from '../../rules/figures.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { setAside } from '../read-rows.js';
import { dateText, dayOfText } from './date-text.js';
import type { RebuildBody, Rebuilt } from './figure-schemas.js';

const DAY_MS = 86_400_000;

/** How many days and attempts a call counts at most, but for those of its first day. */
const MOST = { days: 31, attempts: 20_000 } as const;

const STEP = 1000;

/**
 * Counts days of a project anew from its attempts and movements, and replaces the figures that differ
 * (figures#rebuild). Each day is one transaction, so what is written meanwhile is counted once.
 */
export async function rebuildFigures(
  service: Service,
  project: Project,
  { from }: RebuildBody,
): Promise<Rebuilt> {
  requireCapability(service, 'FigureStore');
  const today = dayOf(service.clock.now());
  const first = from === undefined ? dayOf(project.createdAt) : dayOfText(from);
  const unreadable: UnreadableRecord[] = [];
  let [changed, attempts, days] = [0, 0, 0];
  let day = first;
  for (; day <= today && days < MOST.days && (days === 0 || attempts < MOST.attempts); days += 1) {
    const counted = await service.store.transaction(async (operations) => {
      const recount = await recountDay(operations, project, day);
      const { days: stored } = await operations.readFigures(project.id, day, plus(day, DAY_MS));
      const isSame = textOf(stored) === textOf(recount.figures);
      if (!isSame) await operations.replaceFigures(project.id, day, withIds(service.random, recount.figures));
      return { ...recount, isSame };
    });
    attempts += counted.attempts;
    changed += counted.isSame ? 0 : 1;
    unreadable.push(...counted.unreadable);
    day = plus(day, DAY_MS);
  }
  const left = day > today ? 0 : Math.round((today.getTime() - day.getTime()) / DAY_MS) + 1;
  return {
    from: dateText(first),
    to: dateText(days === 0 ? first : plus(day, -DAY_MS)),
    changed,
    left,
    next: left === 0 ? null : dateText(day),
    unreadable: setAside(service, unreadable, 'A record was left out of the figures'),
  };
}

async function recountDay(operations: FullStoreOperations, { id }: Project, day: Date) {
  const until = plus(day, DAY_MS);
  const unreadable: UnreadableRecord[] = [];
  let figures: readonly DayFigures[] = [];
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
  return { figures, attempts, unreadable };
}

/** Figures as a text that is the same for equal ones. */
function textOf(figures: readonly DayFigures[]): string {
  const rows = figures
    .map(({ planId, running, recurring, price, sums }) => {
      const { at, attemptId, amount, amountUsd } = price ?? {};
      const known = price === null ? null : [at?.getTime(), attemptId, String(amount), amountUsd];
      const names = Object.entries(sums).map(([name, sum]) => `${name} ${sum}`);
      return [planId, running, recurring, known, names.sort()];
    })
    // A day without anything left has no row.
    .filter(
      ([, running, recurring, known, names]) =>
        running !== 0 || recurring !== 0 || known !== null || (names as string[]).length > 0,
    );
  return JSON.stringify(rows.sort((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)));
}

import { requirePlan } from '../../operations/require.js';
import { dayOf, plusDays, sumsUnder, type Project } from '../../records/index.js';
import { monthOf } from '../../rules/figures.js';
import type { Service } from '../../service.js';
import type { CohortReport, CohortsQuery } from './figure-schemas.js';

/** Reads how many subscriptions of each month's beginners run at the end of each later month. */
export async function readCohorts(
  service: Service,
  project: Project,
  { plan, months }: CohortsQuery,
): Promise<CohortReport> {
  const now = service.clock.now();
  const listed = lastMonths(now, months);
  const only = plan === undefined ? null : (await requirePlan(service, project, plan)).id;
  // From the day before, because a clock that differs may have dated a beginning there.
  const since = plusDays(new Date(`${listed[0]}-01T00:00:00.000Z`), -1);
  const days = await service.store.readFigures(project.id, since, plusDays(dayOf(now), 1), 'cohorts');
  const sizes = new Map<string, number>();
  const changes = new Map<string, number>();
  for (const { planId, day, cohorts } of days) {
    if (only !== null && planId !== only) continue;
    const monthOfDay = monthOf(day);
    for (const [month, count] of sumsUnder(cohorts, 'begun/')) add(sizes, month, count);
    for (const [month, count] of sumsUnder(cohorts, 'cohort/')) {
      // A change that is dated before its cohort counts in the cohort's first month.
      add(changes, `${month} ${monthOfDay < month ? month : monthOfDay}`, count);
    }
  }
  return {
    data: listed.map((month, place) => {
      let running = 0;
      return {
        month,
        size: sizes.get(month) ?? 0,
        running: listed.slice(place).map((at) => (running += changes.get(`${month} ${at}`) ?? 0)),
      };
    }),
  };
}

/** The last months until an instant, the earliest first. */
function lastMonths(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - place), 1))),
  );
}

function add(counts: Map<string, number>, key: string, count: bigint): void {
  counts.set(key, (counts.get(key) ?? 0) + Number(count));
}

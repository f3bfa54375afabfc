import type { Billing, ProjectBilling } from '@subrail/core';
import type { Manager } from '@subrail/core/client';

/** The work of a service as time makes it due. */
export interface DueWork {
  /** The date of the next work: past while it is being done, null for none. */
  next(now: Date): Promise<Date | null>;
  /** The longest safe step of time, for a source that does not tell of all work. Null: any. */
  readonly longestStepMs: number | null;
  /** Polls without due work before time moves on: work that the source does not tell of needs its time. */
  readonly quietPolls: number;
}

/** All due work, from the store. */
export function workOfStore(billing: Billing): DueWork {
  const { store } = billing.service;
  return {
    longestStepMs: null,
    quietPolls: 2,
    async next(now) {
      const { ended } = await store.listAccessEnds(now, 1);
      return soonest([
        await store.nextWakeAt(),
        await nextFirstAttempt(billing),
        ...(ended.length === 0 ? [] : [now]),
      ]);
    },
  };
}

const DAY_MS = 86_400_000;

/** Due charges, retries, ends and webhooks, from the reports of a host, which tell of no reminders. */
export function workOfHost(manager: Manager): DueWork {
  return {
    longestStepMs: DAY_MS,
    quietPolls: 15,
    async next() {
      const projects = await manager.projects.list();
      const charges = await Promise.all(projects.map(({ id }) => nextUpcoming(manager.project(id))));
      return soonest([...charges, await nextFirstAttempt(manager)]);
    },
  };
}

async function nextUpcoming({ reports }: ProjectBilling): Promise<Date | null> {
  let from: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof reports.upcoming>> = await reports.upcoming({
      limit: 1,
      ...(from === null ? {} : { starting_after: from }),
    });
    const [first] = page.data;
    if (first !== undefined) return new Date(first.due_at);
    from = page.next;
  } while (from !== null);
  return null;
}

/**
 * The first attempts of webhooks at endpoints that work. Retries are not waited for: they are due by the
 * clock of the host, which does not move with the chain's, and an endpoint that hangs is tried once in a
 * while.
 */
async function nextFirstAttempt(manager: Manager): Promise<Date | null> {
  const projects = await manager.projects.list();
  const dates = await Promise.all(
    projects.map(async ({ id }) => {
      const { endpoints, deliveries } = manager.project(id);
      const working = (await endpoints.list()).filter(
        ({ enabled, failing_since }) => enabled && failing_since === null,
      );
      const pages = await Promise.all(
        working.map((endpoint) => deliveries.list({ endpoint: endpoint.id, state: 'pending', limit: 100 })),
      );
      return pages.flatMap(({ data }) => data).filter(({ attempts }) => attempts === 0);
    }),
  );
  return soonest(dates.flat().map(({ next_attempt_at: at }) => (at === null ? null : new Date(at))));
}

function soonest(dates: readonly (Date | null)[]): Date | null {
  const times = dates.filter((date) => date !== null).map((date) => date.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

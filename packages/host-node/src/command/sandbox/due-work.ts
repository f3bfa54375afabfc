import type { Billing, ProjectBilling } from '@subrail/core';
import type { Manager } from '@subrail/core/manager';

/** What a service has to do, as time makes it due. */
export interface DueWork {
  /** When the next of it is due: a date that has passed for what is being done; null when nothing will be. */
  next(now: Date): Promise<Date | null>;
  /** The longest step of time that is safe, because less is known about what is due in between. Null: any. */
  readonly longestStepMs: number | null;
  /** Whether `help` does anything. */
  readonly helps: boolean;
  /** Does what is due beside the host, which does it every second, so that nobody waits for that. */
  help(): Promise<void>;
}

/** All that is due, as the store knows it. */
export function workOfStore({ service, worker }: Billing, syncClock: () => Promise<void>): DueWork {
  const { store } = service;
  return {
    longestStepMs: null,
    helps: true,
    async help() {
      await syncClock();
      await worker.charge();
      await worker.deliver();
    },
    async next(now) {
      const { ended } = await store.listAccessEnds(now, 1);
      return soonest([
        await store.nextWakeAt(),
        await store.nextDeliveryAt(),
        ...(ended.length === 0 ? [] : [now]),
      ]);
    },
  };
}

const DAY_MS = 86_400_000;

/** The charges, retries, ends and webhooks that are due, as the reports of a host tell. They tell of no reminders. */
export function workOfHost(manager: Manager): DueWork {
  return {
    longestStepMs: DAY_MS,
    helps: false,
    help: () => Promise.resolve(),
    async next() {
      const projects = await manager.projects.list();
      const dates = await Promise.all(
        projects.map(async ({ id }) => {
          const shop = manager.project(id);
          return [await nextUpcoming(shop), await nextDelivery(shop)];
        }),
      );
      return soonest(dates.flat());
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

async function nextDelivery({ deliveries }: ProjectBilling): Promise<Date | null> {
  const { data } = await deliveries.list({ state: 'pending', limit: 100 });
  return soonest(data.map(({ next_attempt_at: at }) => (at === null ? null : new Date(at))));
}

function soonest(dates: readonly (Date | null)[]): Date | null {
  const times = dates.filter((date) => date !== null).map((date) => date.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

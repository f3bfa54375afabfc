import type { ProjectBilling } from '@subrail/core';
import type { EventWire } from '@subrail/core/schemas';

/** Reads the events of a project as they happen, and keeps them longer than the service lists them. */
export interface EventHistory {
  /** Every event so far, oldest first. Call it at least once in every 30 days of the service's time. */
  read(): Promise<readonly EventWire[]>;
}

const PAGE = 100;

/** Creates the history of a project, which begins empty. */
export function createEventHistory({ events }: ProjectBilling): EventHistory {
  const history = new Map<string, EventWire>();

  /** The events that are not in the history yet, newest first. */
  async function newEvents(): Promise<readonly EventWire[]> {
    const newer: EventWire[] = [];
    for (let last: EventWire | undefined; ;) {
      const page = await events.list({
        limit: PAGE,
        ...(last === undefined ? {} : { starting_after: last.id }),
      });
      const unseen = page.data.filter(({ id }) => !history.has(id));
      newer.push(...unseen);
      // The list is by date, and an event may be dated seconds before an earlier written one. So only a page
      // without anything new ends the search.
      last = page.data.at(-1);
      if (!page.has_more || unseen.length === 0) return newer;
    }
  }

  return {
    async read() {
      for (const event of [...(await newEvents())].reverse()) history.set(event.id, event);
      return [...history.values()];
    },
  };
}

import type * as z from 'zod';

import { availableSince } from '../../operations/events/read-events.js';
import type { EventId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { newDelivery } from '../../webhooks/create-deliveries.js';
import { requireEndpoint, requireEnabled } from './read-endpoints.js';
import type { Recovered, RecoverInput } from './schemas.js';

/** Few enough that no write holds up others for long. */
const PAGE = 500;

/**
 * Sends the events that an endpoint selects and missed since a date, because their delivery failed or is
 * absent (deliveries#recover-missed-events). A repeated call completes an interrupted one.
 */
export async function recoverEndpoint(
  service: Service,
  project: Project,
  id: string,
  { since }: z.output<typeof RecoverInput>,
): Promise<Recovered> {
  const { store, random, wallClock } = service;
  const endpoint = await requireEndpoint(store, project, id);
  requireEnabled(endpoint);
  const from = new Date(Math.max(Date.parse(since), availableSince(service, project).getTime()));
  let recovered = 0;
  let startingAfter: EventId | null = null;
  for (;;) {
    const page = await store.listEvents(
      project.id,
      from,
      { type: null, subscriptionId: null },
      { limit: PAGE, startingAfter },
    );
    // The cursor is gone when its event was deleted meanwhile, and then so are those that follow it.
    if (page === 'unknown_cursor') break;
    const selected = page.data.filter(({ type }) => endpoint.types.includes(type));
    const now = wallClock.now();
    const inserted = await store.insertDeliveries(
      selected.map((event) => newDelivery(event, endpoint.id, random, now)),
    );
    const added = new Set(inserted.map(({ eventId }) => eventId));
    const had = selected.map((event) => event.id).filter((event) => !added.has(event));
    recovered += inserted.length + (await store.resendDeliveries(endpoint.id, had, ['failed'], now));
    startingAfter = page.data.at(-1)?.id ?? null;
    if (!page.hasMore || startingAfter === null) break;
  }
  return { recovered };
}

import { ServiceError } from '../../contract/errors.js';
import type { EventPage, EventsQuery, EventWire } from '../../contract/event.js';
import { toWireDate } from '../../contract/scalars.js';
import type { EventId, Project, SubscriptionId } from '../../records/index.js';
import { RETENTION_MS } from '../../rules/retention.js';
import type { Service } from '../../service.js';
import { servedBody } from '../../wire/event.js';
import { pageRequest, pageWire } from '../pages.js';

export async function listEvents(service: Service, project: Project, query: EventsQuery): Promise<EventPage> {
  const since = availableSince(service, project);
  const page = await service.store.listEvents(
    project.id,
    since,
    { type: query.type ?? null, subscriptionId: (query.subscription ?? null) as SubscriptionId | null },
    pageRequest<EventId>(query),
  );
  return {
    ...pageWire(page, (event) => servedBody(event, service.chain.network)),
    available_since: toWireDate(since),
  };
}

export async function retrieveEvent(service: Service, project: Project, id: string): Promise<EventWire> {
  const event = await service.store.findEvent(project.id, id as EventId);
  if (event === null || event.createdAt < availableSince(service, project)) {
    throw new ServiceError('event_not_found');
  }
  return servedBody(event, service.chain.network);
}

/** From when on the project's events are available (events#available-since). */
export function availableSince({ clock }: Service, project: Project): Date {
  return new Date(Math.max(clock.now().getTime() - RETENTION_MS, project.createdAt.getTime()));
}

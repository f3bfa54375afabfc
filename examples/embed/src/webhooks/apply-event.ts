import type { Client } from '@subrail/core/client';
import type { AccessRecords, ReceivedEvent } from './access-records.js';

/** Applies an event. When it rejects, answer with a 5xx, so that the event is sent again. */
export async function applyEvent(
  event: ReceivedEvent,
  records: AccessRecords,
  client: Client,
): Promise<void> {
  // Someone tries the endpoint. The subscription in it does not exist.
  if (event.test === true) return;
  records.apply(event);
  // An event without a place in the order may be older than what is known.
  if (event.sequence === undefined) records.replace(await client.subscriptions.retrieve(event.data.id));
}

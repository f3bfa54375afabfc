import type { Client } from '@subrail/core/client';
import type { AccessRecords } from './access-records.js';
import { applyEvent } from './apply-event.js';

/**
 * Applies the events since the last call, which no webhook may have brought.
 * @param lastSeen what the last call returned; null at first, for all that the service still has
 * @returns the newest event: keep it for the next call
 */
export async function catchUp(
  client: Client,
  records: AccessRecords,
  lastSeen: string | null,
): Promise<string | null> {
  let newest: string | null = null;
  // Newest first, page by page. Which one is applied first does not matter, because of their sequence.
  for await (const event of client.events.list({ limit: 100 })) {
    newest ??= event.id;
    if (event.id === lastSeen) break;
    await applyEvent(event, records, client);
  }
  return newest ?? lastSeen;
}

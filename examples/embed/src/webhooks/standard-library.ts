import type { Client } from '@subrail/core/client';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { AccessRecords, ReceivedEvent } from './access-records.js';
import { applyEvent } from './apply-event.js';

/** Returns the status to answer with. */
export async function receiveWithLibrary(
  { headers, body }: { readonly headers: Record<string, string>; readonly body: Buffer },
  secret: string,
  records: AccessRecords,
  client: Client,
): Promise<number> {
  try {
    await applyEvent(new Webhook(secret).verify(body, headers) as ReceivedEvent, records, client);
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return 400;
  }
}

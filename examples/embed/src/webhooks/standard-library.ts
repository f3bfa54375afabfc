import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { AccessRecords, ReceivedEvent } from './access-records.js';

/** Returns the status to answer with. */
export function receiveWithLibrary(
  { headers, body }: { readonly headers: Record<string, string>; readonly body: Buffer },
  secret: string,
  records: AccessRecords,
): number {
  try {
    const event = new Webhook(secret).verify(body, headers) as ReceivedEvent;
    if (event.sequence !== undefined) records.apply(event);
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return 400;
  }
}

import type { Client } from '@subrail/core/client';
import { verifyWebhook, WebhookError, type FetchWebhook, type RawWebhook } from '@subrail/core/webhooks';
import type { AccessRecords } from './access-records.js';

export interface Receiver {
  /** The endpoint's secret. While a rotation overlaps, the old and the new one. */
  readonly secret: string | readonly string[];
  readonly records: AccessRecords;
  readonly client: Client;
}

/** Verifies a webhook and applies its event. Returns the status to answer with. */
export async function receive(
  request: FetchWebhook | RawWebhook,
  { secret, records, client }: Receiver,
): Promise<number> {
  try {
    const { event } = await verifyWebhook(request, secret);
    // Someone tries the endpoint. The subscription in it does not exist.
    if (event.test === true) return 204;
    records.apply(event);
    // An event without a place in the order may be older than what is known.
    if (event.sequence === undefined) records.replace(await client.subscriptions.retrieve(event.data.id));
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    console.warn(error.message);
    return error.status;
  }
}

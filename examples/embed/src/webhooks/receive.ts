import type { Client } from '@subrail/core/client';
import { verifyWebhook, WebhookError, type FetchWebhook, type RawWebhook } from '@subrail/core/webhooks';
import type { AccessRecords } from './access-records.js';
import { applyEvent } from './apply-event.js';

export interface Receiver {
  /** The endpoint's secret, or several of which one is valid, such as the new and the old one. */
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
    await applyEvent(event, records, client);
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    console.warn(error.message);
    return error.status;
  }
}

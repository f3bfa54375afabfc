// Receives the webhooks of an app.

import { verifyWebhook, WebhookError } from '@subrail/core/webhooks';

const received: string[] = [];

/** The types of the events that were received and verified. */
export const events = (): readonly string[] => received;

/** Receives a webhook, and returns the status to answer with. */
export async function receive(
  webhook: Parameters<typeof verifyWebhook>[0],
): Promise<{ readonly status: number }> {
  try {
    const { event } = await verifyWebhook(webhook, process.env['WEBHOOK_SECRET'] ?? '');
    received.push(event.type);
    return { status: 204 };
  } catch (error) {
    if (error instanceof WebhookError) return { status: error.status };
    throw error;
  }
}

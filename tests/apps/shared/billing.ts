// The billing of every app on Node: the service in the app's own process, on the app's own database.

import { openBilling } from '@subrail/adapters/node';
import { verifyWebhook, WebhookError } from '@subrail/core/webhooks';

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment has no ${name}.`);
  return value;
}

export const billing = await openBilling({
  database: setting('DATABASE'),
  rpc: setting('RPC_URL'),
  charger: setting('CHARGER'),
  sealingKey: setting('SEALING_KEY'),
  handler: { basePath: '/billing', clientAddress: (request) => request.headers.get('x-real-ip') },
});

const shop = billing.project(setting('PROJECT_ID'));

/** Whether a customer may read what is paid for. */
export async function mayRead(customer: string): Promise<boolean> {
  return (await shop.access.check({ external_id: customer, plan: 'pro' })).access;
}

const received: string[] = [];

/** The types of the events that were received and verified. */
export const events = (): readonly string[] => received;

/** Receives a webhook, and returns the status to answer with. */
export async function receive(
  webhook: Parameters<typeof verifyWebhook>[0],
): Promise<{ readonly status: number }> {
  try {
    const { event } = await verifyWebhook(webhook, setting('WEBHOOK_SECRET'));
    received.push(event.type);
    return { status: 204 };
  } catch (error) {
    if (error instanceof WebhookError) return { status: error.status };
    throw error;
  }
}

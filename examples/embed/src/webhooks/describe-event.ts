import type { WebhookEvent } from '@subrail/core/webhooks';

/** What happened, in words. TypeScript knows the detail of a type once you have compared it. */
export function describeEvent(event: WebhookEvent): string {
  if (event.type === 'subscription.renewed') {
    return `paid ${event.detail.amount} until ${event.detail.period_end}`;
  }
  if (event.type === 'subscription.payment_failed') {
    return `not paid (${event.detail.reason}), ${event.detail.retries_left} retries left`;
  }
  // All others, also types that are added within a version.
  return `${event.type}: ${event.data.status}`;
}

import type { EventType, Network } from '../contract/enums.js';
import { eventExample } from '../contract/event-examples.js';
import { toWireDate } from '../contract/scalars.js';
import { VERSION } from '../contract/version.js';

/**
 * The body of a test delivery: like that of an event of this type, about the fictitious subscription
 * `sub_test`, with `test` and without `sequence`. The type `test` shows a subscription that was just created.
 */
export function testBody(id: string, type: EventType | 'test', network: Network, now: Date): string {
  const { data, detail } = eventExample(type === 'test' ? 'subscription.created' : type);
  return JSON.stringify({
    id,
    object: 'event',
    type,
    created_at: toWireDate(now),
    network,
    api_version: VERSION,
    data: { ...data, id: 'sub_test' },
    detail: type === 'test' ? {} : detail,
    test: true,
  });
}

import { describe, expect, test } from 'vitest';
import { anEndpoint, anEvent } from '../testing/records.js';
import { SeededRandom } from '../testing/seeded-random.js';
import { createDeliveries } from './create-deliveries.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');

describe('createDeliveries', () => {
  const first = anEvent({ type: 'subscription.created' });
  const second = anEvent({ type: 'subscription.access_granted' });

  // deliveries#one-delivery-per-endpoint
  // deliveries#selected-event-types
  test('makes one delivery of each event for each enabled endpoint that selects its type', () => {
    const both = anEndpoint({ types: ['subscription.created', 'subscription.access_granted'] });
    const one = anEndpoint({ types: ['subscription.access_granted'] });
    const disabled = anEndpoint({ types: ['subscription.created'], enabled: false });
    const made = createDeliveries([first, second], [both, one, disabled], new SeededRandom(1), NOW);
    expect(made.map(({ eventId, endpointId }) => [eventId, endpointId])).toEqual([
      [first.id, both.id],
      [second.id, both.id],
      [second.id, one.id],
    ]);
  });

  // deliveries#delivery-id-for-deduplication
  test('gives each delivery its own id, which is its webhook-id, and makes it due at once', () => {
    const endpoints = [anEndpoint(), anEndpoint()];
    const made = createDeliveries([first], endpoints, new SeededRandom(1), NOW);
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
    for (const delivery of made) {
      expect(delivery.id).toMatch(/^dlv_[0-9A-Za-z]{24}$/);
      expect(delivery).toMatchObject({
        projectId: first.projectId,
        state: 'pending',
        attempts: 0,
        nextAttemptAt: NOW,
        createdAt: NOW,
      });
    }
  });

  // deliveries#enabling-an-endpoint
  test('makes deliveries of the events after an endpoint is enabled, and none of those before', () => {
    const disabled = anEndpoint({ types: [first.type, second.type], enabled: false });
    expect(createDeliveries([first], [disabled], new SeededRandom(1), NOW)).toEqual([]);
    const made = createDeliveries([second], [{ ...disabled, enabled: true }], new SeededRandom(1), NOW);
    expect(made.map(({ eventId }) => eventId)).toEqual([second.id]);
  });
});

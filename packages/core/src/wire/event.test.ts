import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EventWire } from '../contract/event.js';
import { anEndpoint, anEvent } from '../testing/records.js';
import { SeededRandom } from '../testing/seeded-random.js';
import { deliveriesFor } from '../webhooks/deliveries-for.js';
import { eventBody, servedBody } from './event.js';
import { USER_AGENT } from '../webhooks/user-agent.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');

const SUBSCRIPTION = {
  id: 'sub_1',
  status: 'active',
  paused: false,
  end_reason: null,
  late_reason: null,
  stop_reason: null,
  access: true,
  payment_status: 'paid',
  blocked_since: null,
  blocked_reason: null,
  plan: 'reader',
  wallet: 'Wallet',
  email: null,
  external_id: 'customer-42',
  current_period_start: '2026-10-02T08:30:00.000Z',
  current_period_end: '2026-11-01T08:30:00.000Z',
  next_charge_at: '2026-11-01T08:30:00.000Z',
  next_retry_at: null,
  retry_deadline: null,
  next_retry_number: null,
  retries_allowed: null,
  access_until: '2026-11-01T08:30:00.000Z',
  closable: false,
  closable_from: null,
  created_at: '2026-10-02T08:29:00.000Z',
  confirmed_at: '2026-10-02T08:30:00.000Z',
};

const event = anEvent({
  type: 'subscription.renewed',
  createdAt: NOW,
  sequence: 7,
  data: SUBSCRIPTION,
  detail: { amount: '10000000' },
});

// events#event-body-fields
describe('the body of an event', () => {
  test('has exactly the fields of the table, in its order', () => {
    expect(JSON.stringify(eventBody(event, 'devnet'))).toBe(
      JSON.stringify({
        id: event.id,
        object: 'event',
        type: 'subscription.renewed',
        created_at: '2026-10-02T08:30:00.000Z',
        network: 'devnet',
        api_version: '2026-10-02',
        sequence: 7,
        data: SUBSCRIPTION,
        detail: { amount: '10000000' },
      }),
    );
  });

  test('is valid by the schema of the contract', () => {
    const body = eventBody(event, 'mainnet-beta');
    expect(EventWire.parse(body)).toEqual(body);
  });

  // events#events-list-parameters
  // events#events-list-bodies
  test('is served as it was first written, whatever would be written today', () => {
    const written = JSON.stringify({ ...eventBody(event, 'devnet'), api_version: '2026-01-01' });
    expect(JSON.stringify(servedBody({ ...event, body: written }, 'devnet'))).toBe(written);
    expect(servedBody(event, 'devnet')).toEqual(eventBody(event, 'devnet'));
  });
});

// deliveries#one-delivery-per-endpoint
describe('deliveries of events', () => {
  const first = anEvent({ type: 'subscription.created' });
  const second = anEvent({ type: 'subscription.access_granted' });

  test('there is one of each event to each enabled endpoint that selects its type', () => {
    const both = anEndpoint({ types: ['subscription.created', 'subscription.access_granted'] });
    const one = anEndpoint({ types: ['subscription.access_granted'] });
    const off = anEndpoint({ types: ['subscription.created'], enabled: false });
    const made = deliveriesFor([first, second], [both, one, off], new SeededRandom(1), NOW);
    expect(made.map(({ eventId, endpointId }) => [eventId, endpointId])).toEqual([
      [first.id, both.id],
      [second.id, both.id],
      [second.id, one.id],
    ]);
  });

  // deliveries#one-delivery-per-endpoint
  test('each has an id of its own, the webhook-id, and is due at once', () => {
    const endpoints = [anEndpoint(), anEndpoint()];
    const made = deliveriesFor([first], endpoints, new SeededRandom(1), NOW);
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
});

// deliveries#one-delivery-per-endpoint
test('the User-Agent names the version of this package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(USER_AGENT).toBe(`Subrail/${manifest.version}`);
});

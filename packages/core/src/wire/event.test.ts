import { describe, expect, it } from 'vitest';
import { EventWire } from '../contract/event.js';
import { anEvent } from '../testing/records.js';
import { eventBody, servedBody } from './event.js';

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

describe('the body of an event', () => {
  it('has exactly the fields of the contract, in its order', () => {
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

  it('is valid by the schema of the contract', () => {
    const body = eventBody(event, 'mainnet-beta');
    expect(EventWire.parse(body)).toEqual(body);
  });

  // events#events-list-bodies
  it('is served as it was first written, even when the service would write another body now', () => {
    const written = JSON.stringify({ ...eventBody(event, 'devnet'), api_version: '2026-01-01' });
    expect(JSON.stringify(servedBody({ ...event, body: written }, 'devnet'))).toBe(written);
    expect(servedBody(event, 'devnet')).toEqual(eventBody(event, 'devnet'));
  });
});

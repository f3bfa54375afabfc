import {
  type AccessAnswer,
  AccessAnswer as AccessAnswerSchema,
  SubscriptionWire,
} from '@subrail/core/schemas';
import { describe, expect, it } from 'vitest';

import { createRecordedBilling } from '../index.js';
import type { RecordedState } from './recorded-states.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');

/** The access check of each state. An expired or superseded subscription never answers. */
const ACCESS: Readonly<Record<RecordedState, Partial<AccessAnswer>>> = {
  pending: { status: 'pending', access: false, payment_status: 'none', access_until: null },
  active: {
    status: 'active',
    access: true,
    payment_status: 'paid',
    access_until: '2026-04-04T12:00:00.000Z',
    next_charge_at: '2026-04-04T12:00:00.000Z',
  },
  unpaid: {
    status: 'unpaid',
    access: true,
    payment_status: 'late',
    late_reason: 'insufficient_balance',
    access_until: '2026-03-18T00:00:00.000Z',
    next_retry_at: '2026-03-16T00:00:00.000Z',
  },
  blocked: {
    status: 'active',
    access: true,
    blocked_reason: 'receiver_account_frozen',
    blocked_since: '2026-03-15T00:00:00.000Z',
    access_until: '2026-03-18T00:00:00.000Z',
  },
  paused: {
    status: 'active',
    access: true,
    paused: true,
    payment_status: 'none',
    next_charge_at: null,
    access_until: '2026-04-04T12:00:00.000Z',
  },
  cancelled: {
    status: 'cancelled',
    access: true,
    payment_status: 'paid',
    cancelled_at: '2026-03-14T12:00:00.000Z',
    access_until: '2026-04-04T12:00:00.000Z',
    closable_from: '2026-04-04T12:00:00.000Z',
  },
  stopped: { status: 'stopped', access: false, stop_reason: 'out_of_retries', payment_status: 'none' },
  ended: { status: 'ended', access: false, end_reason: 'cancelled', closable: true },
  failed: { status: 'failed', access: false, payment_status: 'none' },
  expired: { status: 'none', access: false, subscription_id: null },
  superseded: { status: 'none', access: false, subscription_id: null },
};

const STATES = Object.keys(ACCESS) as RecordedState[];

describe.each(STATES)('a customer whose subscription is %s', (state) => {
  it('has the access that the rules give', async () => {
    const { project } = await createRecordedBilling({ customers: { 'customer-42': state }, now: NOW });
    const answer = await project.access.check({ external_id: 'customer-42', plan: 'pro', attempts: true });
    expect(answer).toMatchObject(ACCESS[state]);
    AccessAnswerSchema.parse(answer);
  });

  it('is read over HTTP with the key of the project', async () => {
    const recorded = await createRecordedBilling({ now: NOW });
    const { id } = await recorded.subscription(state, { external_id: 'customer-42' });
    const response = await recorded.handler(
      new Request(`http://localhost/v1/subscriptions/${id}`, {
        headers: { authorization: `Bearer ${recorded.apiKey}` },
      }),
    );
    expect(SubscriptionWire.parse(await response.json())).toEqual(
      await recorded.project.subscriptions.retrieve(id),
    );
  });
});

// access#computed-at-the-instant-asked
it('lets reads follow the time: a cancelled subscription loses access with its period', async () => {
  const recorded = await createRecordedBilling({ customers: { 'customer-42': 'cancelled' }, now: NOW });
  const access = () => recorded.project.access.check({ external_id: 'customer-42', plan: 'pro' });
  recorded.advance('20d');
  expect(recorded.now()).toEqual(new Date('2026-04-04T12:00:00.000Z'));
  expect(await access()).toMatchObject({ status: 'ended', access: false });
  recorded.advance('1mo');
  expect(recorded.now()).toEqual(new Date('2026-05-04T12:00:00.000Z'));
  recorded.advanceTo(new Date('2026-06-01T00:00:00.000Z'));
  expect(recorded.now()).toEqual(new Date('2026-06-01T00:00:00.000Z'));
  expect(() => recorded.advanceTo(NOW)).toThrow(RangeError);
});

it('names the customer by a wallet or an email as well, and overrides fields of the record', async () => {
  const recorded = await createRecordedBilling();
  await recorded.plan({ slug: 'team', name: 'Team', amount: 20_000_000n });
  const { wallet } = await recorded.subscription('active', {
    plan: 'team',
    email: 'zoe@example.com',
    fields: { termsSigned: false },
  });
  const byEmail = await recorded.project.access.check({ email: 'zoe@example.com', plan: 'team' });
  expect(byEmail).toMatchObject({ access: true, payment_status: 'none', wallet });
  expect(await recorded.project.access.check({ wallet, plan: 'team' })).toEqual(byEmail);
});

it('refuses with a sentence what needs a chain, and a plan or a state that does not exist', async () => {
  const recorded = await createRecordedBilling();
  const { wallet } = await recorded.subscription('stopped');
  await expect(recorded.project.subscriptions.create({ plan: 'pro', wallet })).rejects.toThrow(
    /^This service has records only, and chain\.\w+ needs a chain\. Use createTestBilling/,
  );
  await expect(createRecordedBilling({ customers: { 'customer-42': 'late' as never } })).rejects.toThrow(
    new TypeError('Expected the state of a subscription, such as active, unpaid or stopped; found "late".'),
  );
  await expect(recorded.subscription('active', { plan: 'gold' })).rejects.toThrow(
    "There is no plan gold. Add it with plan({ slug: 'gold' }).",
  );
});

it('refuses a second running subscription of one wallet to one plan', async () => {
  const recorded = await createRecordedBilling();
  const { wallet } = await recorded.subscription('active');
  await expect(recorded.subscription('unpaid', { wallet })).rejects.toThrow(
    /already has a running subscription or a pending checkout of the plan pro/,
  );
});

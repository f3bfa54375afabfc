import { expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import type { Late, Subscription } from '../records/index.js';
import { MADE_AT, aPlan, anId, aSubscription } from '../testing/records.js';
import { customerActions } from './customer-actions.js';

const NOW = new Date('2026-01-10T00:00:00.000Z');
const LATER = new Date('2026-01-31T00:00:00.000Z');
const cancellation = { confirmedAt: MADE_AT, expiresAt: LATER, behind: false, lapse: null };
/** A missed period of a tier without automatic retries. */
const LATE: Late = {
  periodStart: MADE_AT,
  graceUntil: null,
  automatic: null,
  deadline: LATER,
  byHand: { count: 0, lastAt: null },
  queuedAt: null,
};
const SPENT: Late = { ...LATE, byHand: { count: 3, lastAt: MADE_AT } };

// portal#actions-of-a-customer, retries#manual-retries-on-free
it.each<[string, Partial<Subscription>, boolean, readonly string[]]>([
  ['active', { status: 'active' }, true, ['cancel']],
  ['unpaid', { status: 'unpaid', late: LATE }, true, ['cancel', 'retry']],
  ['unpaid and parked', { status: 'unpaid', late: LATE, pausedAt: NOW }, true, ['cancel']],
  ['unpaid, after the last retry by hand', { status: 'unpaid', late: SPENT }, true, ['cancel']],
  [
    'unpaid, while the last retry by hand waits',
    { status: 'unpaid', late: { ...LATE, byHand: { count: 2, lastAt: MADE_AT }, queuedAt: NOW } },
    true,
    ['cancel', 'retry'],
  ],
  ['unpaid, at its deadline', { status: 'unpaid', late: { ...LATE, deadline: NOW } }, true, ['cancel']],
  ['stopped', { status: 'stopped', stopReason: 'out_of_retries' }, true, ['cancel', 'subscribe']],
  ['stopped, of a plan that is over', { status: 'stopped', stopReason: 'out_of_retries' }, false, ['cancel']],
  ['cancelled while paid up', { status: 'cancelled', cancellation }, true, ['resume']],
  [
    'cancelled, past its expiry',
    { status: 'cancelled', cancellation: { ...cancellation, expiresAt: NOW } },
    true,
    ['close', 'subscribe'],
  ],
  ['closed', { status: 'ended', endReason: 'closed', closedAt: NOW }, true, ['subscribe']],
  [
    'replaced by another plan',
    {
      ...{ status: 'ended', endReason: 'plan_changed' },
      cancellation: { confirmedAt: NOW, expiresAt: NOW, behind: true, lapse: null },
    },
    true,
    ['close'],
  ],
  ['closed and made again', { status: 'ended', endReason: 'closed', closedAt: NOW }, false, []],
  ['pending', { status: 'pending' }, true, []],
  ['failed', { status: 'failed' }, true, []],
])('offers a customer what one that is %s allows', (_, fields, canSubscribe, actions) => {
  const subscription = aSubscription({ wallet: 'Wallet', ...fields });
  const at = { plan: aPlan(), tier: TIERS.business, now: NOW };
  expect(customerActions(subscription, at, { canSubscribe, canChange: false })).toEqual(actions);
});

// portal#actions-of-a-customer
it.each([
  ['active', {}, ['cancel', 'change']],
  ['one that a change may still replace', { replacedById: anId('sub') }, ['cancel']],
  ['cancelled', { status: 'cancelled' as const }, ['resume']],
])('offers another plan to one that is %s', (_, fields, actions) => {
  const at = { plan: aPlan(), tier: TIERS.business, now: NOW };
  const can = { canSubscribe: false, canChange: true };
  expect(customerActions(aSubscription(fields), at, can)).toEqual(actions);
});

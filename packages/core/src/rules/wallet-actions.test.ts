import { expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import type { Subscription } from '../records/index.js';
import { MADE_AT, aPlan, aSubscription } from '../testing/records.js';
import { possibleActions } from './wallet-actions.js';

const NOW = new Date('2026-01-10T00:00:00.000Z');
const LATER = new Date('2026-01-31T00:00:00.000Z');
const cancellation = { confirmedAt: MADE_AT, expiresAt: LATER, behind: false, lapse: null };

// cancel-page#actions-of-a-wallet
it.each<[string, Partial<Subscription>, readonly string[]]>([
  ['active', { status: 'active' }, ['cancel']],
  ['unpaid', { status: 'unpaid' }, ['cancel']],
  ['stopped, while it can be charged', { status: 'stopped', stopReason: 'out_of_retries' }, ['cancel']],
  ['stopped for good', { status: 'stopped', stopReason: 'authority_closed' }, ['close']],
  ['cancelled while paid up', { status: 'cancelled', cancellation }, ['resume']],
  ['cancelled while behind', { status: 'cancelled', cancellation: { ...cancellation, behind: true } }, []],
  [
    'cancelled, past its expiry',
    { status: 'cancelled', cancellation: { ...cancellation, expiresAt: NOW } },
    ['close'],
  ],
  ['ended with its plan', { status: 'ended', endReason: 'plan_ended' }, ['close']],
  ['closed', { status: 'ended', endReason: 'closed', closedAt: NOW }, []],
  ['replaced by a change of plan', { status: 'ended', endReason: 'plan_changed', cancellation }, []],
  ['replaced, and resumed on chain', { status: 'ended', endReason: 'plan_changed' }, ['cancel']],
  ['failed', { status: 'failed' }, []],
])('knows what a wallet can do to one that is %s', (_, fields, actions) => {
  const subscription = aSubscription({ wallet: 'Wallet', ...fields });
  expect(possibleActions(subscription, { plan: aPlan(), tier: TIERS.business, now: NOW })).toEqual(actions);
});

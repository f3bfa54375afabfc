import { expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import type { Subscription } from '../records/index.js';
import { aPlan, aSubscription, MADE_AT } from '../testing/records.js';
import { isInTheWayOfChange } from './in-the-way-of-change.js';

const NOW = new Date('2026-01-10T00:00:00.000Z');
const LATER = new Date('2026-01-31T00:00:00.000Z');
const cancellation = { confirmedAt: MADE_AT, expiresAt: LATER, behind: false, lapse: null };
const changed = { status: 'ended', endReason: 'plan_changed' } as const;

// plan-changes#plans-offered-for-a-change
it.each<[string, Partial<Subscription>, ofWallet: boolean, ofAnother: boolean]>([
  ['is active', { status: 'active' }, true, true],
  ['is unpaid', { status: 'unpaid' }, true, true],
  ['is cancelled', { status: 'cancelled', cancellation }, true, false],
  ['is stopped', { status: 'stopped', stopReason: 'out_of_retries' }, true, false],
  ['was changed and runs out', { ...changed, cancellation }, true, false],
  [
    'was changed and can be closed',
    { ...changed, cancellation: { ...cancellation, expiresAt: NOW } },
    true,
    false,
  ],
  ['was changed and closed', { ...changed, cancellation, closedAt: NOW }, false, false],
  ['was closed', { status: 'ended', endReason: 'closed', closedAt: NOW }, false, false],
  ['was superseded', { status: 'superseded' }, false, false],
  ['is pending', { status: 'pending' }, false, false],
])('of a subscription that %s', (_, fields, ofWallet, ofAnother) => {
  const at = { plan: aPlan(), tier: TIERS.business, now: NOW };
  const held = aSubscription({ wallet: 'Wallet', ...fields });
  expect([isInTheWayOfChange(held, 'Wallet', at), isInTheWayOfChange(held, 'Another', at)]).toEqual([
    ofWallet,
    ofAnother,
  ]);
});

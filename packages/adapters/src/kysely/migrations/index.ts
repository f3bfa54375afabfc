import { initial } from './0001-initial.js';
import { expiredCheckouts } from './0002-expired-checkouts.js';
import { plainNames } from './0003-plain-names.js';
import { chainIdentity } from './0004-chain-identity.js';
import { sharedClaims } from './0005-shared-claims.js';
import { accessDates } from './0006-access-dates.js';
import { parkedAndLate } from './0007-parked-and-late.js';
import { chainChecks } from './0008-chain-checks.js';
import { sharedTransactions } from './0009-shared-transactions.js';
import { renewalNotices } from './0010-renewal-notices.js';
import { accessEnds } from './0011-access-ends.js';
import { deliveryLog } from './0012-delivery-log.js';
import { eventPositions } from './0013-event-positions.js';
import { retention } from './0014-retention.js';
import { heldEvents } from './0015-held-events.js';
import { management } from './0017-management.js';
import { searches } from './0018-searches.js';
import { reports } from './0019-reports.js';
import { keysAndPlans } from './0020-keys-and-plans.js';
import { paidByWallet } from './0022-paid-by-wallet.js';
import { rateWindows } from './0023-rate-windows.js';
import { deliveriesOfEndpoint } from './0024-deliveries-of-endpoint.js';
import { subscriptionDates } from './0025-subscription-dates.js';
import { parkedInOrder } from './0026-parked-in-order.js';
import { keyChanges } from './0027-key-changes.js';
import { endsOfLists } from './0028-ends-of-lists.js';
import { envelopes } from './0029-envelopes.js';
import { onePerCustomer } from './0030-one-per-customer.js';
import { tokenNames } from './0031-token-names.js';
import type { Migrations } from './for-engine.js';

/** Every migration by name, in order. A released migration is never edited: add a new one instead. */
export const MIGRATIONS: Migrations = {
  '0001_initial': initial,
  '0002_expired_checkouts': expiredCheckouts,
  '0003_plain_names': plainNames,
  '0004_chain_identity': chainIdentity,
  '0005_shared_claims': sharedClaims,
  '0006_access_dates': accessDates,
  '0007_parked_and_late': parkedAndLate,
  '0008_chain_checks': chainChecks,
  '0009_shared_transactions': sharedTransactions,
  '0010_renewal_notices': renewalNotices,
  '0011_access_ends': accessEnds,
  '0012_delivery_log': deliveryLog,
  '0013_event_positions': eventPositions,
  '0014_retention': retention,
  '0015_held_events': heldEvents,
  '0017_management': management,
  '0018_searches': searches,
  '0019_reports': reports,
  '0020_keys_and_plans': keysAndPlans,
  '0022_paid_by_wallet': paidByWallet,
  '0023_rate_windows': rateWindows,
  '0024_deliveries_of_endpoint': deliveriesOfEndpoint,
  '0025_subscription_dates': subscriptionDates,
  '0026_parked_in_order': parkedInOrder,
  '0027_key_changes': keyChanges,
  '0028_ends_of_lists': endsOfLists,
  '0029_envelopes': envelopes,
  '0030_one_per_customer': onePerCustomer,
  '0031_token_names': tokenNames,
};

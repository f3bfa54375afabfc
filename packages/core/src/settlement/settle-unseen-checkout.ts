import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ChainUnavailable } from '../ports/index.js';
import type { Service } from '../service.js';
import { findCheckoutByAccount } from './find-by-account.js';
import { readLandedCheckouts } from './read-landed-checkouts.js';
import { changesOfReplaced } from './resolve-checkout.js';
import { hasOpenCharge, settleCheckout, showsLanding } from './settle-checkout.js';

/** More transfers than a checkout has: no other transaction of it is sent before the last one is resolved. */
const MOST_SUBMITS = 1_000;

/**
 * Whether a pending checkout landed and is settled in its changes. `charge_open`: it landed, and is settled
 * once the charge of what it replaces is resolved; `unavailable`: the chain cannot tell.
 */
export type UnseenCheckout =
  | 'landed'
  | 'not_landed'
  | 'charge_open'
  | { readonly unavailable: ChainUnavailable };

/**
 * Settles a pending checkout without open transfers that landed under another signature
 * (checkout#other-signature-of-the-wallet).
 */
export async function settleUnseenCheckout(
  service: Service,
  changes: SubscriptionChanges,
  now: Date,
): Promise<UnseenCheckout> {
  const transfers = await service.store.listTransfers(changes.subscription.id, MOST_SUBMITS);
  if (transfers.some(({ state }) => state === 'open')) return 'not_landed';
  const checkout = await findCheckoutByAccount(service, changes, transfers);
  if (!checkout.ok) return { unavailable: checkout.unavailable };
  if (checkout.value === null) return 'not_landed';
  const { outcome, transfer } = checkout.value;
  const replaced = await changesOfReplaced(service, changes, transfer);
  if (hasOpenCharge(replaced)) return 'charge_open';
  const landed = (await readLandedCheckouts(service, [{ changes, outcome, replaced }])).get(changes);
  if (landed === undefined || !showsLanding(landed, outcome)) return { unavailable: { kind: 'transport' } };
  settleCheckout(changes, { ...checkout.value, replaced }, landed, now);
  return 'landed';
}

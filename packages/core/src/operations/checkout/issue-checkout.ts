import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { CreateAnswer } from '../../contract/build.js';
import { toWireDate } from '../../contract/scalars.js';
import type { ChainResult, UnsignedTransaction } from '../../ports/index.js';
import type { Subscription, Terms } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { buildAnswer, costsWire } from '../../wire/build-answer.js';
import { builtTransaction, saveBuiltTransaction } from '../actions/build-action.js';
import { requireAnswer } from '../read-chain.js';
import { type Checkout, currentTermsFacts, newTerms, reusableTerms } from './checkout-terms.js';

/** A checkout waits this long for a signature after its last transaction (checkout#checkout-lifetime). */
export const CHECKOUT_MS = 30 * 60_000;

/**
 * Stores a fresh transaction of a pending subscription and returns it with the terms to sign, whose text
 * stays until they expire, are spent, or a fact changes (terms#stable-terms). Returns `lost` when another
 * call changed the subscription first.
 * @param since the start of the call: a transaction stored since then by another call is returned to both.
 * Null for a call that has to store something.
 */
export async function issueCheckout(
  service: Service,
  checkout: Checkout,
  built: ChainResult<UnsignedTransaction>,
  since: Date | null,
): Promise<CreateAnswer | 'lost'> {
  const unsigned = requireAnswer(built);
  const { subscription, kind } = checkout;
  const now = service.clock.now();
  const facts = await currentTermsFacts(service, checkout);
  const answer = (of: Subscription, { message, expiresAt }: Terms): CreateAnswer => {
    // Another call's transaction is older than this call's, whose expiry is known.
    const earlierMs = Math.max(0, now.getTime() - (of.built?.builtAt ?? now).getTime());
    return {
      subscription: { id: of.id, status: 'pending' },
      ...buildAnswer({ ...unsigned, ...of.built, expiresAt: plus(unsigned.expiresAt, -earlierMs) }),
      costs: costsWire(unsigned.costs),
      terms: { message, expires_at: toWireDate(expiresAt) },
    };
  };
  const reusable = reusableTerms(subscription, facts, now);
  const { built: stored } = subscription;
  // A date later than now comes from a host whose clock is ahead, and may be old.
  const isShared =
    since !== null && stored?.action === kind && stored.builtAt >= since && stored.builtAt <= now;
  if (isShared && reusable !== null) return answer(subscription, reusable);
  const changes = new SubscriptionChanges(service, checkout);
  changes.apply(
    {
      kind: 'checkout_issued',
      built: builtTransaction(kind, unsigned, now),
      terms: reusable ?? newTerms(service, facts, now),
      checkoutExpiresAt: plus(now, CHECKOUT_MS),
      email: subscription.email,
    },
    now,
  );
  const saved = await saveBuiltTransaction(service, changes);
  if (saved === 'lost' || saved.email !== subscription.email) return 'lost';
  // Racing callers all get the terms of the transaction that was stored.
  const terms = reusableTerms(saved, facts, now);
  return terms === null ? 'lost' : answer(saved, terms);
}

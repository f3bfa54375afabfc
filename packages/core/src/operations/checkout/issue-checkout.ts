import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { CreateAnswer } from '../../contract/build.js';
import { toWireDate } from '../../contract/scalars.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { buildAnswer, costsWire } from '../../wire/build-answer.js';
import { builtTransaction, saveBuiltTransaction } from '../built-transaction.js';
import { requireAnswer } from '../require-answer.js';
import { type Checkout, currentTermsFacts, newTerms, reusableTerms } from './checkout-terms.js';

/** How long a checkout waits for a signature after its last transaction (checkout#checkout-lifetime). */
export const CHECKOUT_MS = 30 * 60_000;

/**
 * Builds a fresh transaction for a pending subscription and returns it with the terms to sign. The terms keep their
 * text until they expire, are spent, or a fact in them changes (terms#stable-terms). Returns `lost` when another
 * call changed the subscription first; nothing is stored then.
 */
export async function issueCheckout(service: Service, checkout: Checkout): Promise<CreateAnswer | 'lost'> {
  const { plan, subscription, view, kind } = checkout;
  const target = chargeTarget(plan, subscription.wallet);
  const unsigned = requireAnswer(await service.chain.build({ ...target, kind, view }));
  const now = service.clock.now();
  const facts = await currentTermsFacts(service, checkout);
  const changes = new SubscriptionChanges(service, checkout);
  changes.apply(
    {
      kind: 'checkout_issued',
      built: builtTransaction(kind, unsigned, now),
      terms: reusableTerms(subscription, facts, now) ?? newTerms(service, facts, now),
      checkoutExpiresAt: plus(now, CHECKOUT_MS),
      email: subscription.email,
    },
    now,
  );
  const saved = await saveBuiltTransaction(service, changes);
  if (saved === 'lost' || saved.email !== subscription.email) return 'lost';
  // If several calls race, every caller gets the terms of the transaction that was stored.
  const terms = reusableTerms(saved, facts, now);
  if (terms === null) return 'lost';
  return {
    subscription: { id: saved.id, status: 'pending' },
    ...buildAnswer({ ...unsigned, ...saved.built }),
    costs: costsWire(unsigned.costs),
    terms: { message: terms.message, expires_at: toWireDate(terms.expiresAt) },
  };
}

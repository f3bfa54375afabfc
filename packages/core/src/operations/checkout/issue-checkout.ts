import type { CreateAnswer } from '../../contract/build.js';
import { toWireDate } from '../../contract/scalars.js';
import { chargeTarget } from '../../commits/subscription-changes.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import type { Subscription, Terms } from '../../records/index.js';
import { change } from '../../transitions/change.js';
import { plus } from '../../rules/billing-periods.js';
import { termsMessage } from '../../rules/terms.js';
import type { Service } from '../../service.js';
import { requireAnswer } from '../require-answer.js';
import { buildAnswer, costsWire } from '../../wire/build-answer.js';
import type { Checkout } from './terms-facts.js';
import { currentTermsFacts } from './terms-facts.js';
import { saveBuiltTransaction } from '../save-built-transaction.js';
import type { CheckoutKind } from './checkout-kind.js';

/** checkout#checkout-lifetime: how long an unsigned checkout waits after its last transaction. */
export const PENDING_MS = 30 * 60_000;

/** Contract, Limits. */
const TERMS_MS = 5 * 60_000;

/**
 * Builds a fresh transaction for a pending subscription and hands it out with its terms. The terms keep their text
 * until they expire, are spent, or a fact in them changes (terms#stable-terms). `lost` when another call moved the subscription
 * meanwhile: nothing was handed out then.
 */
export async function issueCheckout(
  service: Service,
  checkout: Omit<Checkout, 'kind'>,
  way: CheckoutKind,
): Promise<CreateAnswer | 'lost'> {
  const { plan, project, subscription, view } = checkout;
  const ask = chargeTarget(plan, subscription.wallet);
  const built = requireAnswer(await service.chain.build({ ...ask, kind: way.kind, view }));
  const now = service.clock.now();
  const facts = await currentTermsFacts(service, { ...checkout, kind: way.kind });
  const terms = currentTerms(subscription, facts, now) ?? newTerms(service, facts, now);
  const handedOut = change(
    subscription,
    {
      kind: 'checkout_issued',
      built: {
        action: way.kind,
        transaction: built.transaction,
        lastValidBlockHeight: built.lastValidBlockHeight,
        builtAt: now,
      },
      terms,
      checkoutExpiresAt: plus(now, PENDING_MS),
      email: subscription.email,
    },
    now,
    { plan, tier: service.settings.tiers[project.tier] },
  );
  const commit = await createCommitBuilder(service).commit([handedOut], plan);
  const handed = await saveBuiltTransaction(service, subscription, [commit]);
  if (handed === 'lost' || handed.email !== subscription.email) return 'lost';
  const handedTerms = currentTerms(handed, facts, now);
  if (handedTerms === null) return 'lost';
  return {
    subscription: { id: handed.id, status: 'pending' },
    ...buildAnswer({ ...built, ...handed.built }),
    costs: costsWire(built.costs),
    terms: { message: handedTerms.message, expires_at: toWireDate(handedTerms.expiresAt) },
  };
}

function currentTerms({ terms }: Subscription, facts: string, now: Date): Terms | null {
  const stands = terms !== null && terms.spentAt === null && terms.facts === facts && now < terms.expiresAt;
  return stands ? terms : null;
}

function newTerms(service: Service, facts: string, now: Date): Terms {
  const nonce = [...service.random.bytes(6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const expiresAt = plus(now, TERMS_MS);
  return { message: termsMessage(facts, nonce, expiresAt), facts, nonce, expiresAt, spentAt: null };
}

import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { ChargeView } from '../../ports/index.js';
import type { CheckoutAction, Subscription, Terms } from '../../records/index.js';
import { amountDueAt } from '../../rules/amount-due.js';
import { plus } from '../../rules/billing-periods.js';
import { planAsRead } from '../../rules/plan-on-chain.js';
import { termsFacts, termsMessage } from '../../rules/terms.js';
import { tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { readKnownTokens } from '../plans/known-tokens.js';

/** For how long terms can be signed (terms#terms-lifetime-and-nonce). */
const TERMS_MS = 5 * 60_000;

/** A pending subscription with everything that its terms state. */
export interface Checkout extends SubscriptionContext {
  readonly view: ChargeView;
  readonly kind: CheckoutAction;
  /** The subscription that it replaces; null when it replaces none. */
  readonly replaced: SubscriptionContext | null;
}

/**
 * The facts that the wallet agrees to, as they are now. The text of the terms changes only with them, and a
 * submit of other facts is refused (terms#stable-terms, terms#terms-changed-before-submit).
 */
export async function currentTermsFacts(service: Service, checkout: Checkout): Promise<string> {
  const { plan, project, subscription, view, kind, replaced } = checkout;
  const delegate = view.source?.delegate ?? null;
  return termsFacts({
    // The record may not follow a change of the plan yet (terms#terms-of-a-plan-end).
    plan: view.plan === null ? plan : planAsRead(plan, view.plan),
    project,
    settings: service.settings,
    wallet: subscription.wallet,
    token: tokenName(plan, await readKnownTokens(service)),
    replaced: replaced && {
      slug: replaced.plan.slug,
      paidUntil: paidAhead(replaced.subscription, view.time),
    },
    replacesApproval: delegate !== null && delegate !== view.authority.address,
    periodStart: firstPeriodStart(kind, view),
  });
}

/** The end of the paid period while that is ahead, or null. */
function paidAhead({ paidPeriodEnd }: Subscription, now: Date): Date | null {
  return paidPeriodEnd !== null && now < paidPeriodEnd ? paidPeriodEnd : null;
}

/** The start of the first period: now, or on the grid of a comeback. */
function firstPeriodStart(kind: CheckoutAction, { subscription, plan, time }: ChargeView): Date {
  if (kind !== 'comeback' || subscription === null) return time;
  return amountDueAt(subscription, plan?.endsAt ?? null, time).periodStart;
}

/** The terms of a subscription, as long as they have these facts and can still be signed; else null. */
export function reusableTerms({ terms }: Subscription, facts: string, now: Date): Terms | null {
  const reusable = terms !== null && terms.spentAt === null && terms.facts === facts && now < terms.expiresAt;
  return reusable ? terms : null;
}

/** New terms with these facts. */
export function newTerms(service: Service, facts: string, now: Date): Terms {
  const nonce = [...service.random.bytes(6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const expiresAt = plus(now, TERMS_MS);
  return { message: termsMessage(facts, nonce, expiresAt), facts, nonce, expiresAt, spentAt: null };
}

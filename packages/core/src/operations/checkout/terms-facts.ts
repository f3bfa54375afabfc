import type { ChargeView } from '../../ports/index.js';
import type { CheckoutAction, Plan, Project, Subscription } from '../../records/index.js';
import { amountDueAt } from '../../rules/amount-due.js';
import { termsFacts } from '../../rules/terms.js';
import type { Service } from '../../service.js';

/** A pending subscription with all that its terms are made of. */
export interface Checkout {
  readonly plan: Plan;
  readonly project: Project;
  readonly subscription: Subscription;
  readonly view: ChargeView;
  readonly kind: CheckoutAction;
}

/**
 * What the wallet is to agree to as things stand now. Terms are handed out with these facts, and a submit is refused when they
 * are no longer the ones that were signed (terms#stable-terms).
 */
export async function currentTermsFacts(service: Service, checkout: Checkout): Promise<string> {
  const { plan, project, subscription, view, kind } = checkout;
  const token = await service.tokens.find(plan.mint);
  const delegate = view.source?.delegate ?? null;
  return termsFacts({
    plan,
    project,
    settings: service.settings,
    wallet: subscription.wallet,
    symbol: token?.symbol ?? null,
    replacesApproval: delegate !== null && delegate !== view.authority.address,
    periodStart: firstPeriod(kind, view),
  });
}

/** Start of the period the first charge pays: a new subscription's begins with it, a comeback's is in progress (coming-back#comeback-pays-the-current-period). */
function firstPeriod(kind: CheckoutAction, { subscription, plan, time }: ChargeView): Date {
  if (kind === 'subscribe' || subscription === null) return time;
  return amountDueAt(subscription, plan?.endsAt ?? null, time).periodStart;
}

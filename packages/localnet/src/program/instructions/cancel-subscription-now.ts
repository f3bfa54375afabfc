import type { InvokeContext } from '../../runtime/program.js';
import { loadPlan } from '../accounts/plan.js';
import { loadPossiblyLongerSubscription, subscriptionLayout } from '../accounts/subscription.js';
import { exactly, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { refuse } from '../errors.js';
import { SUBSCRIPTION_CANCELLED, emit } from '../events.js';
import { i64, struct } from '../layout.js';

/**
 * The payload: the start of the recorded period that both signers saw. It limits their consent to one incarnation of the
 * subscription.
 */
export interface CancelSubscriptionNow {
  readonly expectedPeriodStart: bigint;
}

export const cancelSubscriptionNowPayload = struct<CancelSubscriptionNow>({ expectedPeriodStart: i64 });

/** Makes a subscription expire now, with the signatures of wallet and merchant (program#cancel-subscription-now). */
export function cancelSubscriptionNow(context: InvokeContext, payload: CancelSubscriptionNow): void {
  const [subscriber, merchant, planAccount, account, eventAuthority, selfProgram] = exactly(
    6,
    context.accounts,
  );
  requireSigner(subscriber);
  requireSigner(merchant);
  const planState = requireProgramOwned(context, planAccount);
  const state = requireProgramOwned(context, account);
  requireWritable(account);
  const now = context.clock.unixTimestamp;
  const plan = loadPlan(planState.data);
  if (plan.owner !== merchant.address) refuse('NotPlanOwner');

  const subscription = loadPossiblyLongerSubscription(state.data);
  if (subscription.header.delegator !== subscriber.address) refuse('Unauthorized');
  if (subscription.header.delegatee !== planAccount.address) refuse('SubscriptionPlanMismatch');
  if (subscription.periodStart !== payload.expectedPeriodStart) refuse('StaleSubscriptionApproval');
  if (subscription.expiresAt !== 0n && subscription.expiresAt <= now) refuse('SubscriptionAlreadyCancelled');

  context.write(account.address, {
    ...state,
    data: subscriptionLayout.patch(state.data, { expiresAt: now }),
  });
  emit(context, eventAuthority, selfProgram, SUBSCRIPTION_CANCELLED, {
    plan: planAccount.address,
    subscriber: subscriber.address,
    expiresAtTs: now,
  });
}

import { type AccountMeta, type InvokeContext, InstructionFailure } from '../../runtime/program.js';
import { loadPlan, sameTerms } from '../accounts/plan.js';
import {
  type Subscription,
  loadPossiblyLongerSubscription,
  subscriptionLayout,
} from '../accounts/subscription.js';
import { exactly, programOwned, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { refuse } from '../errors.js';
import { SUBSCRIPTION_CANCELLED, emit } from '../events.js';
import { cancellationExpiry, periodSeconds } from '../periods.js';

/** Makes a subscription expire at the end of the period in progress (program#cancel-subscription). */
export function cancelSubscription(context: InvokeContext): void {
  const [subscriber, plan, account, eventAuthority, selfProgram] = exactly(5, context.accounts);
  requireSigner(subscriber);
  const state = requireProgramOwned(context, account);
  requireWritable(account);
  const subscription = loadPossiblyLongerSubscription(state.data);
  if (subscription.header.delegator !== subscriber.address) refuse('Unauthorized');
  if (subscription.expiresAt !== 0n) refuse('SubscriptionAlreadyCancelled');
  if (subscription.header.delegatee !== plan.address) refuse('SubscriptionPlanMismatch');

  const expiresAt = expiryOf(context, plan, subscription);
  context.write(account.address, { ...state, data: subscriptionLayout.patch(state.data, { expiresAt }) });
  emit(context, eventAuthority, selfProgram, SUBSCRIPTION_CANCELLED, {
    plan: plan.address,
    subscriber: subscriber.address,
    expiresAtTs: expiresAt,
  });
}

/**
 * The expiry (program#cancellation-expiry): now when the plan is gone or was replaced, since nothing can be pulled any
 * more.
 */
function expiryOf(context: InvokeContext, account: AccountMeta, subscription: Subscription): bigint {
  const now = context.clock.unixTimestamp;
  const state = programOwned(context, account);
  if (state === undefined) return now;
  const plan = loadPlan(state.data);
  if (!sameTerms(subscription.terms, plan.data.terms)) return now;
  const length = periodSeconds(subscription.terms.periodHours);
  if (length === undefined) refuse('ArithmeticOverflow');
  // No plan has a period of 0. For bytes that say so, the deployed program divides by zero and halts.
  if (length === 0n) throw new InstructionFailure('ProgramFailedToComplete');
  const expiry = cancellationExpiry(subscription.periodStart, length, plan.data.endTs, now);
  if (expiry === undefined) refuse('ArithmeticOverflow');
  return expiry;
}

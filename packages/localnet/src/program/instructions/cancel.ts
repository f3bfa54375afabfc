import { type AccountMeta, InstructionFailure, type InvokeContext } from '../../runtime/program.js';
import {
  type Plan,
  type Subscription,
  hasTermsOf,
  loadPlan,
  loadPossiblyLongerSubscription,
  planHasEnded,
  subscriptionLayout,
} from '../accounts.js';
import {
  exactly,
  programOwned,
  requireAuthority,
  requireProgramOwned,
  requireSigner,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { SUBSCRIPTION_CANCELLED, SUBSCRIPTION_RESUMED, emit } from '../events.js';
import { type ValueOf, i64, struct } from '../../runtime/layout.js';
import { cancellationExpiry, periodSeconds } from '../periods.js';
import { patchAccount } from '../program-accounts.js';

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
  patchAccount(context, account, subscriptionLayout, { expiresAt });
  emit(context, eventAuthority, selfProgram, SUBSCRIPTION_CANCELLED, {
    plan: plan.address,
    subscriber: subscriber.address,
    expiresAtTs: expiresAt,
  });
}

/** The expiry (program#cancellation-expiry): now when the plan is gone or was replaced. */
function expiryOf(context: InvokeContext, account: AccountMeta, subscription: Subscription): bigint {
  const now = context.clock.unixTimestamp;
  const state = programOwned(context, account);
  if (state === undefined) return now;
  const plan = loadPlan(state.data);
  if (!hasTermsOf(plan, subscription)) return now;
  const length = periodSeconds(subscription.terms.periodHours);
  if (length === undefined) refuse('ArithmeticOverflow');
  // No plan has a period of 0. For bytes that say so, the deployed program divides by zero and halts.
  if (length === 0n) throw new InstructionFailure('ProgramFailedToComplete');
  const expiry = cancellationExpiry(subscription.periodStart, length, plan.data.endTs, now);
  if (expiry === undefined) refuse('ArithmeticOverflow');
  return expiry;
}

/** The payload: the period start that both signers saw, which limits their consent to one incarnation. */
export const cancelSubscriptionNowPayload = struct({ expectedPeriodStart: i64 });

/** Makes a subscription expire now, signed by wallet and merchant (program#cancel-subscription-now). */
export function cancelSubscriptionNow(
  context: InvokeContext,
  payload: ValueOf<typeof cancelSubscriptionNowPayload>,
): void {
  const [subscriber, merchant, planAccount, account, eventAuthority, selfProgram] = exactly(
    6,
    context.accounts,
  );
  requireSigner(subscriber, merchant);
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

  patchAccount(context, account, subscriptionLayout, { expiresAt: now });
  emit(context, eventAuthority, selfProgram, SUBSCRIPTION_CANCELLED, {
    plan: planAccount.address,
    subscriber: subscriber.address,
    expiresAtTs: now,
  });
}

/** The payload: the expiry that the wallet saw. A delayed transaction cannot undo a later cancellation. */
export const resumeSubscriptionPayload = struct({ expectedExpiresAt: i64 });

/** Reverses a cancellation before its expiry. The recorded period stays (program#resume-subscription). */
export function resumeSubscription(
  context: InvokeContext,
  payload: ValueOf<typeof resumeSubscriptionPayload>,
): void {
  const [subscriber, planAccount, account, authorityAccount, eventAuthority, selfProgram] = exactly(
    6,
    context.accounts,
  );
  requireSigner(subscriber);
  const state = requireProgramOwned(context, account);
  requireWritable(account);
  const authority = requireAuthority(context, authorityAccount);
  const now = context.clock.unixTimestamp;

  const subscription = loadPossiblyLongerSubscription(state.data);
  if (subscription.header.delegator !== subscriber.address) refuse('Unauthorized');
  if (subscription.header.delegatee !== planAccount.address) refuse('SubscriptionPlanMismatch');
  if (subscription.expiresAt === 0n) refuse('SubscriptionNotCancelled');
  if (subscription.expiresAt !== payload.expectedExpiresAt) refuse('StaleSubscriptionApproval');
  const plan = requireLivePlan(context, planAccount, subscription, now);
  if (authority.user !== subscriber.address) refuse('Unauthorized');
  if (authority.mint !== plan.data.mint) refuse('MintMismatch');
  if (authority.initId !== subscription.header.initId) refuse('StaleSubscriptionAuthority');
  if (subscription.expiresAt <= now) refuse('SubscriptionCancelled');

  patchAccount(context, account, subscriptionLayout, { expiresAt: 0n });
  emit(context, eventAuthority, selfProgram, SUBSCRIPTION_RESUMED, {
    plan: planAccount.address,
    subscriber: subscriber.address,
    resumedTs: now,
  });
}

/** The subscription's plan, which must not be closed, ended or replaced. */
function requireLivePlan(
  context: InvokeContext,
  account: AccountMeta,
  subscription: Subscription,
  now: bigint,
): Plan {
  const state = programOwned(context, account);
  if (state === undefined) refuse('PlanClosed');
  const plan = loadPlan(state.data);
  if (planHasEnded(plan, now)) refuse('PlanExpired');
  if (!hasTermsOf(plan, subscription)) refuse('PlanTermsMismatch');
  return plan;
}

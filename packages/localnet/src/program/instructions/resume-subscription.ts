import type { AccountMeta, InvokeContext } from '../../runtime/program.js';
import { type Plan, loadPlan, planHasEnded, sameTerms } from '../accounts/plan.js';
import {
  type Subscription,
  loadPossiblyLongerSubscription,
  subscriptionLayout,
} from '../accounts/subscription.js';
import {
  exactly,
  programOwned,
  requireAuthority,
  requireProgramOwned,
  requireSigner,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { SUBSCRIPTION_RESUMED, emit } from '../events.js';
import { i64, struct } from '../layout.js';

/** The payload: the expiry that the wallet saw, so that a delayed transaction cannot undo a later cancellation. */
export interface ResumeSubscription {
  readonly expectedExpiresAt: bigint;
}

export const resumeSubscriptionPayload = struct<ResumeSubscription>({ expectedExpiresAt: i64 });

/** Reverses a cancellation before its expiry. The recorded period stays (program#resume-subscription). */
export function resumeSubscription(context: InvokeContext, payload: ResumeSubscription): void {
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

  context.write(account.address, {
    ...state,
    data: subscriptionLayout.patch(state.data, { expiresAt: 0n }),
  });
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
  if (!sameTerms(subscription.terms, plan.data.terms)) refuse('PlanTermsMismatch');
  return plan;
}

import type { AccountMeta, InvokeContext } from '../../runtime/program.js';
import { loadPlan, planHasEnded, sameTerms } from '../accounts/plan.js';
import {
  FIXED_DELEGATION_DISCRIMINATOR,
  RECURRING_DELEGATION_DISCRIMINATOR,
  SUBSCRIPTION_DISCRIMINATOR,
  type Subscription,
  delegationHeader,
  loadClosableSubscription,
} from '../accounts/subscription.js';
import { atLeast, programOwned, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { closeProgramAccount } from '../close-account.js';
import { refuse } from '../errors.js';
import { rentReceiver } from '../rent-receiver.js';
import { notImplemented } from '../not-implemented.js';

/** Closes an expired subscription. The rent goes to its payer (program#revoke-delegation). */
export function revokeDelegation(context: InvokeContext): void {
  const [authority, account] = atLeast(2, context.accounts);
  requireSigner(authority);
  requireWritable(authority);
  requireWritable(account);
  const { data } = requireProgramOwned(context, account);
  if (data.length < delegationHeader.size) refuse('InvalidHeaderData');
  switch (delegationHeader.decode(data).discriminator) {
    case SUBSCRIPTION_DISCRIMINATOR:
      return closeSubscription(context, authority, account, loadClosableSubscription(data));
    case FIXED_DELEGATION_DISCRIMINATOR:
      return notImplemented(context, 'revoke_delegation of a fixed delegation');
    case RECURRING_DELEGATION_DISCRIMINATOR:
      return notImplemented(context, 'revoke_delegation of a recurring delegation');
    default:
      return refuse('InvalidAccountDiscriminator');
  }
}

function closeSubscription(
  context: InvokeContext,
  authority: AccountMeta,
  account: AccountMeta,
  subscription: Subscription,
): void {
  const [, , plan, receiver] = context.accounts;
  const { header, expiresAt } = subscription;
  if (plan === undefined) refuse('NotEnoughAccountKeys');
  if (header.delegatee !== plan.address) refuse('SubscriptionPlanMismatch');

  const expired = expiresAt !== 0n && expiresAt <= context.clock.unixTimestamp;
  if (authority.address === header.delegator) {
    if (!expired) refuse('SubscriptionNotCancelled');
  } else if (authority.address === header.payer) {
    // The plan is loaded even after the expiry: when it is malformed, the sponsor gets the error of loading it.
    const uncollectable = isUncollectable(context, plan, subscription);
    if (!expired && !uncollectable) refuse('Unauthorized');
  } else {
    refuse('Unauthorized');
  }
  closeProgramAccount(context, account.address, rentReceiver(authority, header.payer, receiver).address);
}

/** Whether nothing can ever be pulled again, because the plan is gone, was replaced or has ended. */
function isUncollectable(context: InvokeContext, account: AccountMeta, subscription: Subscription): boolean {
  const state = programOwned(context, account);
  if (state === undefined) return true;
  const plan = loadPlan(state.data);
  return !sameTerms(subscription.terms, plan.data.terms) || planHasEnded(plan, context.clock.unixTimestamp);
}

import type { AccountMeta, InvokeContext } from '../../runtime/program.js';
import {
  KIND,
  type Subscription,
  authorityLayout,
  delegationHeader,
  hasTermsOf,
  loadClosableSubscription,
  loadPlan,
  planHasEnded,
} from '../accounts.js';
import {
  atLeast,
  programOwned,
  rentReceiver,
  requireProgramOwned,
  requireSigner,
  requireWritable,
} from '../checks.js';
import { notImplemented, refuse } from '../errors.js';
import { findAuthority } from '../pdas.js';
import { closeProgramAccount } from '../program-accounts.js';

/** Closes an expired subscription. The rent goes to its payer (program#revoke-delegation). */
export function revokeDelegation(context: InvokeContext): void {
  const [authority, account] = atLeast(2, context.accounts);
  requireSigner(authority);
  requireWritable(authority, account);
  const { data } = requireProgramOwned(context, account);
  if (data.length < delegationHeader.size) refuse('InvalidHeaderData');
  switch (delegationHeader.decode(data).discriminator) {
    case KIND.subscription:
      return closeSubscription(context, authority, account, loadClosableSubscription(data));
    case KIND.fixed:
      return notImplemented(context, 'revoke_delegation of a fixed delegation');
    case KIND.recurring:
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
    // The plan is loaded even after the expiry: a malformed one fails with the error of loading it.
    if (!isUncollectable(context, plan, subscription) && !expired) refuse('Unauthorized');
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
  return !hasTermsOf(plan, subscription) || planHasEnded(plan, context.clock.unixTimestamp);
}

/**
 * Closes a subscription of a dead authority. Its payer gets the rent (program#revoke-abandoned-subscription).
 */
export function revokeAbandonedSubscription(context: InvokeContext): void {
  const [payer, account, authority, plan] = atLeast(4, context.accounts);
  requireSigner(payer);
  requireWritable(payer, account);
  const { header } = loadClosableSubscription(requireProgramOwned(context, account).data);
  if (header.payer !== payer.address) refuse('Unauthorized');
  if (header.delegatee !== plan.address) refuse('SubscriptionPlanMismatch');
  const planState = programOwned(context, plan);
  if (planState === undefined) refuse('PlanClosed');
  const { mint } = loadPlan(planState.data).data;
  if (findAuthority(header.delegator, mint).address !== authority.address) {
    refuse('InvalidSubscriptionAuthorityPda');
  }
  if (!isDead(context, authority, header.initId)) refuse('Unauthorized');
  closeProgramAccount(context, account.address, payer.address);
}

/** Whether the authority is dead. A closed one is alive in its slot: it could be created again as it was. */
function isDead(context: InvokeContext, authority: AccountMeta, initId: bigint): boolean {
  const state = programOwned(context, authority);
  if (state === undefined) return context.clock.slot > initId;
  const { data } = state;
  const readable = data.length === authorityLayout.size && data[0] === KIND.authority;
  return !readable || authorityLayout.decode(data).initId !== initId;
}

import type { AccountMeta, InvokeContext } from '../../runtime/program.js';
import { AUTHORITY_DISCRIMINATOR, authorityLayout } from '../accounts/authority.js';
import { loadPlan } from '../accounts/plan.js';
import { loadClosableSubscription } from '../accounts/subscription.js';
import { findAuthority } from '../pdas.js';
import { atLeast, programOwned, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { closeProgramAccount } from '../close-account.js';
import { refuse } from '../errors.js';

/**
 * Closes a subscription whose authority is dead. The rent goes to its payer (program#revoke-abandoned-subscription).
 */
export function revokeAbandonedSubscription(context: InvokeContext): void {
  const [payer, account, authority, plan] = atLeast(4, context.accounts);
  requireSigner(payer);
  requireWritable(payer);
  requireWritable(account);
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

/**
 * Whether the authority is dead. A closed one is not within the slot of its creation: it could be created again with
 * the same generation.
 */
function isDead(context: InvokeContext, authority: AccountMeta, initId: bigint): boolean {
  const state = programOwned(context, authority);
  if (state === undefined) return context.clock.slot > initId;
  const { data } = state;
  const readable = data.length === authorityLayout.size && data[0] === AUTHORITY_DISCRIMINATOR;
  return !readable || authorityLayout.decode(data).initId !== initId;
}

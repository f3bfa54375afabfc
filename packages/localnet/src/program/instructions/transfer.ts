import type { Address } from '@solana/kit';
import type { AccountMeta, InvokeContext } from '../../runtime/program.js';
import { mintLayout, readExtensions } from '../../runtime/token-layout.js';
import {
  type Plan,
  type Subscription,
  type SubscriptionAuthority,
  hasTermsOf,
  loadPlan,
  loadSubscription,
  planHasEnded,
  subscriptionLayout,
} from '../accounts.js';
import {
  atLeast,
  programOwned,
  requireAssociated,
  requireAuthority,
  requireMint,
  requireProgramOwned,
  requireSigner,
  requireTokenAccount,
  requireTokenProgram,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { SUBSCRIPTION_TRANSFER, emit } from '../events.js';
import { type ValueOf, ZERO_KEY, key, struct, u64 } from '../../runtime/layout.js';
import { findAuthority } from '../pdas.js';
import { type Period, periodEnd, periodSeconds, pull } from '../periods.js';
import { patchAccount } from '../program-accounts.js';
import { transferChecked } from '../token-calls.js';

/** The payload: how much to pull, from which wallet, of which mint (program#transfer-subscription). */
export const transferPayload = struct({ amount: u64, delegator: key, mint: key });
type Transfer = ValueOf<typeof transferPayload>;

const TRANSFER_HOOK_EXTENSION = 14;
const transferHook = struct({ authority: key, program: key });

/** Moves tokens from the subscriber to a receiver, in each period at most the amount of the terms. */
export function transferSubscription(context: InvokeContext, payload: Transfer): void {
  const [
    subscriptionAccount,
    planAccount,
    authorityAccount,
    source,
    receiver,
    caller,
    mint,
    tokenProgram,
    eventAuthority,
    selfProgram,
  ] = atLeast(10, context.accounts);
  const { data } = requireProgramOwned(context, subscriptionAccount);
  requireWritable(subscriptionAccount);
  const planState = programOwned(context, planAccount);
  if (planState === undefined) refuse('PlanClosed');
  const authority = requireAuthority(context, authorityAccount);
  requireWritable(source, receiver);
  requireSigner(caller);
  requireTokenProgram(tokenProgram);
  const mintData = requireMint(context, mint, tokenProgram);
  const from = requireTokenAccount(context, source, tokenProgram);
  const to = requireTokenAccount(context, receiver, tokenProgram);

  const now = context.clock.unixTimestamp;
  const plan = loadPlan(planState.data);
  if (plan.data.mint !== payload.mint) refuse('MintMismatch');
  if (planHasEnded(plan, now)) refuse('PlanExpired');
  requirePuller(plan, caller.address);
  requireDestination(plan, to.owner);

  const subscription = loadSubscription(data);
  requirePullable(subscription, plan, planAccount, payload.delegator, now);
  const { period, length } = pullPeriod(subscription, plan, payload.amount, now);
  const { start, pulled } = period;
  patchAccount(context, subscriptionAccount, subscriptionLayout, { periodStart: start, pulled });

  if (mint.address !== payload.mint) refuse('MintMismatch');
  requireAuthorityOf(authority, subscription, payload);
  requireAssociated(from, payload.delegator, payload.mint, tokenProgram);
  if (to.mint !== payload.mint) refuse('MintMismatch');

  const hookAccounts = hasActiveTransferHook(mintData) ? context.accounts.slice(10) : [];
  context.invoke(
    transferChecked(
      {
        tokenProgram: tokenProgram.address,
        source: source.address,
        mint: mint.address,
        receiver: receiver.address,
        delegate: authorityAccount.address,
        hookAccounts,
      },
      payload.amount,
      mintLayout.decode(mintData).decimals,
    ),
    [findAuthority(payload.delegator, payload.mint).address],
  );
  emit(context, eventAuthority, selfProgram, SUBSCRIPTION_TRANSFER, {
    subscription: subscriptionAccount.address,
    plan: planAccount.address,
    delegator: payload.delegator,
    mint: payload.mint,
    amount: payload.amount,
    periodStartTs: start,
    periodEndTs: periodEnd(start, length, plan.data.endTs),
    pulledInPeriod: pulled,
    receiverOwner: to.owner,
    receiverTokenAccount: receiver.address,
    puller: caller.address,
  });
}

function requirePuller(plan: Plan, caller: Address): void {
  const listed = caller !== ZERO_KEY && plan.data.pullers.includes(caller);
  if (caller !== plan.owner && !listed) refuse('Unauthorized');
}

/** A plan that lists no destination allows every receiver. */
function requireDestination(plan: Plan, receiverOwner: Address): void {
  const listed = plan.data.destinations.filter((destination) => destination !== ZERO_KEY);
  if (listed.length > 0 && !listed.includes(receiverOwner)) refuse('UnauthorizedDestination');
}

function requirePullable(
  subscription: Subscription,
  plan: Plan,
  planAccount: AccountMeta,
  delegator: Address,
  now: bigint,
): void {
  if (!hasTermsOf(plan, subscription)) refuse('PlanTermsMismatch');
  if (subscription.header.delegatee !== planAccount.address) refuse('SubscriptionPlanMismatch');
  if (subscription.header.delegator !== delegator) refuse('Unauthorized');
  const { expiresAt } = subscription;
  if (expiresAt !== 0n && now >= expiresAt) refuse('SubscriptionCancelled');
}

function pullPeriod(
  { terms, periodStart, pulled }: Subscription,
  plan: Plan,
  amount: bigint,
  now: bigint,
): { period: Period; length: bigint } {
  const length = periodSeconds(terms.periodHours);
  if (length === undefined) refuse('ArithmeticOverflow');
  const allowance = { amount: terms.amount, length, endTs: plan.data.endTs };
  const outcome = pull({ start: periodStart, pulled }, allowance, amount, now);
  if ('refusal' in outcome) refuse(outcome.refusal);
  return { period: outcome.period, length };
}

function requireAuthorityOf(
  authority: SubscriptionAuthority,
  subscription: Subscription,
  payload: Transfer,
): void {
  if (authority.user !== payload.delegator || authority.mint !== payload.mint) refuse('InvalidDelegatePda');
  if (authority.initId !== subscription.header.initId) refuse('StaleSubscriptionAuthority');
}

/** Whether transfers of this mint call a hook program. A malformed list of extensions is 106. */
function hasActiveTransferHook(mint: Uint8Array): boolean {
  const { entries, malformed } = readExtensions(mint);
  const [, hook] = entries.find(([type]) => type === TRANSFER_HOOK_EXTENSION) ?? [];
  if (hook === undefined) return malformed && refuse('InvalidToken2022MintAccountData');
  if (hook.length !== transferHook.size) refuse('InvalidToken2022MintAccountData');
  return transferHook.decode(hook).program !== ZERO_KEY;
}

import type { InvokeContext } from '../../runtime/program.js';
import {
  DELEGATION_VERSION,
  KIND,
  PLAN_STATUS,
  type Plan,
  loadPlan,
  planHasEnded,
  subscriptionLayout,
} from '../accounts.js';
import {
  atLeast,
  rentPayer,
  requireAuthority,
  requireProgramOwned,
  requireSigner,
  requireSystemProgram,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { SUBSCRIPTION_CREATED, emit } from '../events.js';
import { type ValueOf, i64, key, struct, u64, u8 } from '../../runtime/layout.js';
import { findSubscription, planAddressWithBump } from '../pdas.js';
import { createProgramAccount } from '../program-accounts.js';

/** The payload: the plan, and the terms that the wallet agrees to (program#subscribe). */
export const subscribePayload = struct({
  planId: u64,
  planBump: u8,
  expectedMint: key,
  expectedAmount: u64,
  expectedPeriodHours: u64,
  expectedCreatedAt: i64,
  /** The authority's generation, or `UNKNOWN_INIT_ID`. */
  expectedInitId: i64,
});
type Subscribe = ValueOf<typeof subscribePayload>;

/**
 * The unknown generation while signing: the slot in which the transaction runs
 * (program#authority-generations).
 */
const UNKNOWN_INIT_ID = -(2n ** 63n);

/** Creates the wallet's subscription to an active plan on the agreed terms, and moves no tokens. */
export function subscribe(context: InvokeContext, payload: Subscribe): void {
  const [subscriber, merchant, planAccount, subscription, authorityAccount, system, eventAuthority, self] =
    atLeast(8, context.accounts);
  requireSigner(subscriber);
  requireWritable(subscriber);
  const planState = requireProgramOwned(context, planAccount);
  requireWritable(subscription);
  const authority = requireAuthority(context, authorityAccount);
  requireSystemProgram(system);
  const payer = rentPayer(subscriber, context.accounts[8]);
  const { slot, unixTimestamp: now } = context.clock;

  const planAddress = planAddressWithBump(merchant.address, payload.planId, payload.planBump);
  if (planAddress !== planAccount.address) refuse('InvalidPlanPda');
  const plan = loadPlan(planState.data);
  requireOpenPlan(plan, now);
  requireExpectedTerms(plan, payload);

  if (authority.user !== subscriber.address) refuse('Unauthorized');
  if (authority.mint !== plan.data.mint) refuse('MintMismatch');
  const expectedInitId = payload.expectedInitId === UNKNOWN_INIT_ID ? slot : payload.expectedInitId;
  if (authority.initId !== expectedInitId) refuse('StaleSubscriptionAuthority');

  const derived = findSubscription(planAddress, subscriber.address);
  if (derived.address !== subscription.address) refuse('InvalidSubscriptionPda');
  if (context.read(subscription.address).data.length > 0) refuse('AlreadySubscribed');
  createProgramAccount(
    context,
    subscription.address,
    payer.address,
    subscriptionLayout.encode({
      header: {
        discriminator: KIND.subscription,
        version: DELEGATION_VERSION,
        bump: derived.bump,
        delegator: subscriber.address,
        delegatee: planAddress,
        payer: payer.address,
        initId: authority.initId,
      },
      terms: plan.data.terms,
      pulled: 0n,
      periodStart: now,
      expiresAt: 0n,
    }),
  );
  emit(context, eventAuthority, self, SUBSCRIPTION_CREATED, {
    plan: planAddress,
    subscriber: subscriber.address,
    mint: plan.data.mint,
    createdTs: now,
    payer: payer.address,
  });
}

function requireOpenPlan(plan: Plan, now: bigint): void {
  if (plan.status !== PLAN_STATUS.active) {
    refuse(plan.status === PLAN_STATUS.sunset ? 'PlanSunset' : 'InvalidAccountData');
  }
  if (planHasEnded(plan, now)) refuse('PlanExpired');
}

function requireExpectedTerms({ data: { mint, terms } }: Plan, payload: Subscribe): void {
  const termsMatch =
    mint === payload.expectedMint &&
    terms.amount === payload.expectedAmount &&
    terms.periodHours === payload.expectedPeriodHours &&
    terms.createdAt === payload.expectedCreatedAt;
  if (!termsMatch) refuse('PlanTermsMismatch');
}

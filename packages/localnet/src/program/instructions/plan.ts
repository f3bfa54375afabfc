import type { InvokeContext } from '../../runtime/program.js';
import {
  KIND,
  PLAN_STATUS,
  type Plan,
  type PlanData,
  loadPlan,
  planHasEnded,
  planLayout,
} from '../accounts.js';
import {
  atLeast,
  exactly,
  rentPayer,
  requireMint,
  requireProgramOwned,
  requireSigner,
  requireSystemProgram,
  requireTokenProgram,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { PLAN_UPDATED, emit } from '../events.js';
import { type ValueOf, ZERO_KEY, i64, keys, raw, struct, u8 } from '../../runtime/layout.js';
import { findPlan } from '../pdas.js';
import { SECONDS_PER_HOUR } from '../periods.js';
import { closeProgramAccount, createProgramAccount, patchAccount } from '../program-accounts.js';

const MAX_PERIOD_HOURS = 8760n;

/** Creates an active plan from the payload, whose `createdAt` is replaced by now (program#create-plan). */
export function createPlan(context: InvokeContext, payload: PlanData): void {
  const now = context.clock.unixTimestamp;
  const { amount, periodHours } = payload.terms;
  if (amount === 0n) refuse('InvalidAmount');
  if (periodHours === 0n || periodHours > MAX_PERIOD_HOURS) refuse('InvalidPeriodLength');
  requireEndBeyondOnePeriod(payload.endTs, periodHours, now);

  const [merchant, plan, mint, system, tokenProgram] = atLeast(5, context.accounts);
  requireSigner(merchant);
  requireWritable(merchant, plan);
  requireMint(context, mint, tokenProgram);
  requireTokenProgram(tokenProgram);
  requireSystemProgram(system);
  const payer = rentPayer(merchant, context.accounts[5]);

  if (mint.address !== payload.mint) refuse('MintMismatch');
  if (context.read(plan.address).data.length > 0) refuse('PlanAlreadyExists');
  const derived = findPlan(merchant.address, payload.planId);
  if (derived.address !== plan.address) refuse('InvalidPlanPda');
  createProgramAccount(
    context,
    plan.address,
    payer.address,
    planLayout.encode({
      discriminator: KIND.plan,
      owner: merchant.address,
      bump: derived.bump,
      status: PLAN_STATUS.active,
      data: { ...payload, terms: { amount, periodHours, createdAt: now } },
    }),
  );
}

/** The payload: the changeable fields, and their values when the owner signed (program#update-plan). */
export const updatePlanPayload = struct({
  status: u8,
  endTs: i64,
  pullers: keys(4),
  metadataUri: raw(128),
  expectedCreatedAt: i64,
  expectedEndTs: i64,
  expectedPullers: keys(4),
  expectedMetadataUri: raw(128),
});
type UpdatePlan = ValueOf<typeof updatePlanPayload>;

/** Replaces a plan's status, end, pullers and URI. On a sunset plan it can only remove pullers. */
export function updatePlan(context: InvokeContext, payload: UpdatePlan): void {
  const [owner, account, eventAuthority, selfProgram] = exactly(4, context.accounts);
  requireSigner(owner);
  requireWritable(account);
  const plan = loadPlan(requireProgramOwned(context, account).data);
  if (plan.owner !== owner.address) refuse('NotPlanOwner');
  requireExpectedPlan(plan, payload);

  const { status, endTs, pullers, metadataUri } = payload;
  if (plan.status === PLAN_STATUS.sunset) requirePullerRemovalOnly(plan, payload);
  else requireAllowedChange(plan, payload, context.clock.unixTimestamp);
  const data = { ...plan.data, endTs, pullers, metadataUri };
  patchAccount(context, account, planLayout, { status, data });
  emit(context, eventAuthority, selfProgram, PLAN_UPDATED, {
    plan: account.address,
    owner: plan.owner,
    status,
    endTs,
    pullers,
  });
}

function requireExpectedPlan(plan: Plan, payload: UpdatePlan): void {
  const { terms, endTs, pullers, metadataUri } = plan.data;
  const isUnchanged =
    terms.createdAt === payload.expectedCreatedAt &&
    endTs === payload.expectedEndTs &&
    pullers.every((puller, index) => puller === payload.expectedPullers[index]) &&
    sameBytes(metadataUri, payload.expectedMetadataUri);
  if (!isUnchanged) refuse('StalePlanApproval');
}

function requirePullerRemovalOnly(plan: Plan, payload: UpdatePlan): void {
  const unchanged =
    payload.status === PLAN_STATUS.sunset &&
    payload.endTs === plan.data.endTs &&
    sameBytes(payload.metadataUri, plan.data.metadataUri);
  const added = payload.pullers.some((puller) => puller !== ZERO_KEY && !plan.data.pullers.includes(puller));
  if (!unchanged || added) refuse('PlanImmutableAfterSunset');
}

function requireAllowedChange(plan: Plan, payload: UpdatePlan, now: bigint): void {
  if (payload.status === PLAN_STATUS.sunset && payload.endTs === 0n) refuse('SunsetRequiresEndTs');
  if (payload.status !== PLAN_STATUS.sunset && payload.status !== PLAN_STATUS.active) {
    refuse('InvalidPlanStatus');
  }
  if (planHasEnded(plan, now)) refuse('PlanExpired');
  const { endTs } = plan.data;
  if (endTs !== 0n && (payload.endTs === 0n || payload.endTs > endTs)) refuse('PlanEndTsCannotExtend');
  if (payload.endTs !== endTs) {
    requireEndBeyondOnePeriod(payload.endTs, plan.data.terms.periodHours, now);
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** A plan's end must be at least one period ahead, else 511 (program#create-plan). An end of 0 is no end. */
function requireEndBeyondOnePeriod(endTs: bigint, periodHours: bigint, now: bigint): void {
  if (endTs !== 0n && now + periodHours * SECONDS_PER_HOUR > endTs) refuse('InvalidEndTs');
}

/** Closes a plan that has ended. The rent goes to its owner, whoever paid it (program#delete-plan). */
export function deletePlan(context: InvokeContext): void {
  const [owner, account] = exactly(2, context.accounts);
  requireSigner(owner);
  requireWritable(owner, account);
  const plan = loadPlan(requireProgramOwned(context, account).data);
  if (plan.owner !== owner.address) refuse('NotPlanOwner');
  if (!planHasEnded(plan, context.clock.unixTimestamp)) refuse('PlanNotExpired');
  closeProgramAccount(context, account.address, owner.address);
}

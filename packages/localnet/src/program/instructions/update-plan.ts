import type { Address } from '@solana/kit';
import type { InvokeContext } from '../../runtime/program.js';
import { PLAN_STATUS, type Plan, loadPlan, planHasEnded, planLayout } from '../accounts/plan.js';
import { exactly, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { refuse } from '../errors.js';
import { PLAN_UPDATED, emit } from '../events.js';
import { ZERO_KEY, i64, keys, raw, struct, u8 } from '../layout.js';
import { requireEndBeyondOnePeriod } from '../plan-end.js';

/** The payload: the fields of a plan that can change, and their values when the owner signed (program#update-plan). */
export interface UpdatePlan {
  readonly status: number;
  readonly endTs: bigint;
  readonly pullers: readonly Address[];
  readonly metadataUri: Uint8Array;
  readonly expectedCreatedAt: bigint;
  readonly expectedEndTs: bigint;
  readonly expectedPullers: readonly Address[];
  readonly expectedMetadataUri: Uint8Array;
}

export const updatePlanPayload = struct<UpdatePlan>({
  status: u8,
  endTs: i64,
  pullers: keys(4),
  metadataUri: raw(128),
  expectedCreatedAt: i64,
  expectedEndTs: i64,
  expectedPullers: keys(4),
  expectedMetadataUri: raw(128),
});

/** Replaces a plan's status, end, pullers and URI. On a sunset plan it can only remove pullers. */
export function updatePlan(context: InvokeContext, payload: UpdatePlan): void {
  const [owner, account, eventAuthority, selfProgram] = exactly(4, context.accounts);
  requireSigner(owner);
  requireWritable(account);
  const state = requireProgramOwned(context, account);
  const plan = loadPlan(state.data);
  if (plan.owner !== owner.address) refuse('NotPlanOwner');
  requireExpectedPlan(plan, payload);

  const { status, endTs, pullers, metadataUri } = payload;
  if (plan.status === PLAN_STATUS.sunset) {
    requirePullerRemovalOnly(plan, payload);
  } else {
    requireAllowedChange(plan, payload, context.clock.unixTimestamp);
  }
  context.write(account.address, {
    ...state,
    data: planLayout.patch(state.data, {
      status,
      data: { ...plan.data, endTs, pullers, metadataUri },
    }),
  });
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

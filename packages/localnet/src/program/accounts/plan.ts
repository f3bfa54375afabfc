import type { Address } from '@solana/kit';
import { refuse } from '../errors.js';
import { i64, key, keys, raw, struct, u64, u8 } from '../layout.js';

export const PLAN_DISCRIMINATOR = 1;

/** The status byte of a plan. A sunset plan takes no new subscribers. */
export const PLAN_STATUS = { sunset: 0, active: 1 } as const;

/** What a subscriber agrees to. `createdAt` distinguishes the incarnations of a plan at one address. */
export interface PlanTerms {
  /** The price of a period, in the mint's smallest unit. */
  readonly amount: bigint;
  readonly periodHours: bigint;
  /** When the plan was created, in Unix seconds of the chain. */
  readonly createdAt: bigint;
}

export const planTerms = struct<PlanTerms>({ amount: u64, periodHours: u64, createdAt: i64 });

/** The part of a plan that is the payload of `create_plan`: program#plan-layout from byte 35 on. */
export interface PlanData {
  readonly planId: bigint;
  readonly mint: Address;
  readonly terms: PlanTerms;
  /** The plan's last second, inclusive, in Unix seconds; 0 for a plan without end. */
  readonly endTs: bigint;
  /** Four wallets that may own the receiving account; the zero key means none. */
  readonly destinations: readonly Address[];
  /** Four keys that may pull besides the owner; the zero key means none. */
  readonly pullers: readonly Address[];
  readonly metadataUri: Uint8Array;
}

export const planData = struct<PlanData>({
  planId: u64,
  mint: key,
  terms: planTerms,
  endTs: i64,
  destinations: keys(4),
  pullers: keys(4),
  metadataUri: raw(128),
});

/** A Plan account (program#plan-layout). */
export interface Plan {
  readonly discriminator: number;
  readonly owner: Address;
  readonly bump: number;
  readonly status: number;
  readonly data: PlanData;
}

export const planLayout = struct<Plan>({
  discriminator: u8,
  owner: key,
  bump: u8,
  status: u8,
  data: planData,
});

/**
 * Decodes an account's data. Refuses another length with 111, then another discriminator with 117
 * (program#account-loading-errors).
 */
export function loadPlan(data: Uint8Array): Plan {
  if (data.length !== planLayout.size) refuse('InvalidAccountData');
  if (data[0] !== PLAN_DISCRIMINATOR) refuse('InvalidAccountDiscriminator');
  return planLayout.decode(data);
}

/** Whether chain time has passed the plan's last second. */
export function planHasEnded(plan: Plan, now: bigint): boolean {
  return plan.data.endTs !== 0n && now > plan.data.endTs;
}

/** Whether two terms are the same price, period and incarnation. */
export function sameTerms(one: PlanTerms, other: PlanTerms): boolean {
  return (
    one.createdAt === other.createdAt && one.amount === other.amount && one.periodHours === other.periodHours
  );
}

import type { PlanStatus } from '../contract/enums.js';
import type { PlanId, ProjectId } from './ids.js';

/** retries#default-retry-policy: automatic retries of this plan in place of the tier's default. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly waitMs: number;
}

/** A price, a period and a token. Price, period, mint and destinations never change once made (plans#fields-of-a-plan). */
export interface Plan {
  readonly id: PlanId;
  readonly projectId: ProjectId;
  readonly version: number;
  readonly status: PlanStatus;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly website: string | null;
  readonly logoUrl: string | null;
  /** The wallet that owns the plan on chain and signs its changes. */
  readonly owner: string;
  /** The number that tells the owner's plans apart on chain. */
  readonly number: bigint;
  /** Where the plan stands on chain. */
  readonly address: string;
  /** Chain time of its creation, which tells one incarnation at this address from another; null before it landed. */
  readonly createdOnChainAt: Date | null;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly decimals: number;
  /** The price of a period in the token's smallest unit. */
  readonly amount: bigint;
  readonly periodHours: number;
  /** The wallets allowed to receive, the first of which is paid; empty for the owner and any other. */
  readonly destinations: readonly string[];
  readonly endsAt: Date | null;
  readonly retryPolicy: RetryPolicy | null;
  /** The operator's own tier plan: what lands must be running and paid in full (checkout#order-of-create-refusals). */
  readonly operatorPlan: boolean;
  readonly createdAt: Date;
}

/** The length of a period in milliseconds. */
export function periodMs(plan: Pick<Plan, 'periodHours'>): number {
  return plan.periodHours * 3_600_000;
}

/** The wallet a charge of the plan pays. */
export function receiverOf(plan: Pick<Plan, 'destinations' | 'owner'>): string {
  return plan.destinations[0] ?? plan.owner;
}

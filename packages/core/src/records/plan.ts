import type { PlanStatus } from '../contract/enums.js';
import type { PlanId, ProjectId } from './ids.js';

/** The automatic retries of a plan, in place of its tier's default. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly waitMs: number;
}

/** The names that a mint gives its token. Nobody vouches for them. */
export interface TokenNames {
  readonly symbol: string;
  readonly name: string;
}

/** The statuses of the plans that the contract shows. */
export const PUBLISHED: readonly PlanStatus[] = ['active', 'sunset'];

/** A price, a period and a token. Price, period, mint and destinations never change once the plan is made. */
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
  /** The number that distinguishes the owner's plans on chain. */
  readonly number: bigint;
  /** The address of the plan's account. */
  readonly address: string;
  /** Chain time of its creation, which no later plan at the address has; null before it landed. */
  readonly createdOnChainAt: Date | null;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly decimals: number;
  /** How the mint called its token when the plan was created; null when it gave no name that can be shown. */
  readonly tokenNames: TokenNames | null;
  /** The price of a period in the token's smallest unit. */
  readonly amount: bigint;
  readonly periodHours: number;
  /** The wallets that may be paid; the first one is. Empty: any wallet may, and the owner is paid. */
  readonly destinations: readonly string[];
  readonly endsAt: Date | null;
  readonly retryPolicy: RetryPolicy | null;
  /**
   * Whether it is the operator's own plan, by which projects pay for their tier: only a payment in full
   * confirms a checkout.
   */
  readonly operatorPlan: boolean;
  /** Whether a customer who pays for it with one wallet is refused with another. */
  readonly onePerCustomer: boolean;
  /** The wallets that may charge it besides its owner, as the chain showed last; null before it was read. */
  readonly pullers: readonly string[] | null;
  /** When its account was first found gone, while a second read has not confirmed it; else null. */
  readonly goneSince: Date | null;
  /** When the worker next reads it from the chain, or until when it is leased; null when it is not read. */
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
}

/** Returns the length of a period in milliseconds. */
export function periodMs(plan: Pick<Plan, 'periodHours'>): number {
  return plan.periodHours * 3_600_000;
}

/** Returns the wallet that a charge of the plan pays. */
export function receiverOf(plan: Pick<Plan, 'destinations' | 'owner'>): string {
  return plan.destinations[0] ?? plan.owner;
}

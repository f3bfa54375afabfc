import type { Plan, RetryPolicy } from '../records/index.js';
import { periodMs } from '../records/index.js';
import type { Tier } from '../contract/tiers.js';

/** retries#default-retry-policy: three retries, a quarter of a period apart and at most a day. */
function defaultRetryPolicy(plan: Pick<Plan, 'periodHours'>): RetryPolicy {
  return { attempts: 3, waitMs: Math.min(periodMs(plan) / 4, 24 * 3_600_000) };
}

/** retries#default-retry-policy: the service's own retries for a missed charge, or null where every retry is fired by hand. */
export function retryPolicy(plan: Pick<Plan, 'retryPolicy' | 'periodHours'>, tier: Tier): RetryPolicy | null {
  if (!tier.automaticRetries) return null;
  return plan.retryPolicy ?? defaultRetryPolicy(plan);
}

/** retries#manual-retries-on-dev-and-business: retries by hand a missed period gets where the service does not retry on its own. */
export const MANUAL_RETRIES = 3;

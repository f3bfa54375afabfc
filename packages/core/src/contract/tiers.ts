import type { TierName } from './enums.js';

/** What a project of a tier may do (seats-and-tiers#tier-limits). */
export interface Tier {
  /** Plans published at once, or null without a limit. */
  readonly publishedPlans: number | null;
  /** Seats, or null without a limit. */
  readonly subscribers: number | null;
  /** Whether the service retries on its own; without, every retry is fired by hand. */
  readonly automaticRetries: boolean;
}

/** seats-and-tiers#tier-limits's defaults. */
export const TIERS: Readonly<Record<TierName, Tier>> = {
  free: { publishedPlans: 1, subscribers: 30, automaticRetries: false },
  dev: { publishedPlans: 3, subscribers: 150, automaticRetries: true },
  business: { publishedPlans: null, subscribers: null, automaticRetries: true },
};

import type { TierName } from './enums.js';

/** The limits of a project's tier. */
export interface Tier {
  /** The most plans published at once; null without a limit. */
  readonly publishedPlans: number | null;
  /** The most seats, which are the wallets that subscribe; null without a limit. */
  readonly subscribers: number | null;
  /** Whether the service retries missed charges automatically; otherwise each retry takes a call. */
  readonly automaticRetries: boolean;
}

/** The default limits of each tier. */
export const TIERS: Readonly<Record<TierName, Tier>> = {
  free: { publishedPlans: 1, subscribers: 30, automaticRetries: false },
  dev: { publishedPlans: 3, subscribers: 150, automaticRetries: true },
  business: { publishedPlans: null, subscribers: null, automaticRetries: true },
};

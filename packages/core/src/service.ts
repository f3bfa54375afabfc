import type { TierName } from './contract/enums.js';
import type {
  Chain,
  Clock,
  Crypto,
  HttpSender,
  Logger,
  Prices,
  Random,
  Store,
  Tokens,
} from './ports/index.js';
import type { RetryPolicy } from './records/index.js';

/** What a project of a tier may do (D17). */
export interface Tier {
  /** Plans published at once, or null without a limit. */
  readonly publishedPlans: number | null;
  /** Seats, or null without a limit. */
  readonly subscribers: number | null;
  /** Whether the service retries on its own; without, every retry is fired by hand. */
  readonly automaticRetries: boolean;
}

export interface Settings {
  /** Named in the first line of the terms (D13). */
  readonly serviceName: string;
  /** The host's own address, where a subscriber cancels when the project names no other place. */
  readonly publicUrl: string;
  readonly tiers: Readonly<Record<TierName, Tier>>;
  /** Webhooks may go to private addresses and over plain http: for development only (D21.8). */
  readonly privateTargets: boolean;
}

/** D17's defaults. */
export const TIERS: Settings['tiers'] = {
  free: { publishedPlans: 1, subscribers: 30, automaticRetries: false },
  dev: { publishedPlans: 3, subscribers: 150, automaticRetries: true },
  business: { publishedPlans: null, subscribers: null, automaticRetries: true },
};

/** D9.1: three retries, a quarter of a period apart and at most a day. */
export function defaultRetryPolicy(periodMs: number): RetryPolicy {
  return { attempts: 3, waitMs: Math.min(periodMs / 4, 24 * 3_600_000) };
}

/** Everything an operation works with. Operations are functions of this and their input; nothing is global. */
export interface Service {
  readonly store: Store;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: Crypto;
  readonly sender: HttpSender;
  readonly tokens: Tokens;
  readonly prices: Prices;
  readonly logger: Logger;
  readonly settings: Settings;
}

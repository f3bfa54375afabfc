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
import type { Tier } from './contract/tiers.js';

/** The settings of the service, all of which have defaults in `createBilling`. */
export interface Settings {
  /** The name of the service in the first line of the terms. */
  readonly serviceName: string;
  /** The host's own address, where a subscriber cancels when the project has no `cancel_url`. */
  readonly publicUrl: string;
  /** What a project of each tier may do. */
  readonly tiers: Readonly<Record<TierName, Tier>>;
  /** Whether webhooks may be sent to private addresses and over plain http. Set it only in development. */
  readonly privateTargets: boolean;
}

/** The ports and settings of one service. Operations are functions of this and their input; nothing is global. */
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

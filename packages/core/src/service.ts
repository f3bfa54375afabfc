import type { TierName } from './contract/enums.js';
import type {
  Chain,
  Clock,
  CryptoProvider,
  HttpSender,
  Logger,
  Prices,
  Random,
  Store,
  Tokens,
} from './ports/index.js';
import type { Tier } from './contract/tiers.js';

export interface Settings {
  /** Named in the first line of the terms (terms#lines-of-the-terms). */
  readonly serviceName: string;
  /** The host's own address, where a subscriber cancels when the project names no other place. */
  readonly publicUrl: string;
  readonly tiers: Readonly<Record<TierName, Tier>>;
  /** Webhooks may go to private addresses and over plain http: for development only (deliveries#endpoint-address). */
  readonly privateTargets: boolean;
}

/** Everything an operation works with. Operations are functions of this and their input; nothing is global. */
export interface Service {
  readonly store: Store;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: CryptoProvider;
  readonly sender: HttpSender;
  readonly tokens: Tokens;
  readonly prices: Prices;
  readonly logger: Logger;
  readonly settings: Settings;
}

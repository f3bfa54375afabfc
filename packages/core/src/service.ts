import type { TierName } from './contract/enums.js';
import type {
  Chain,
  Clock,
  CryptoProvider,
  FullStore,
  HttpSender,
  Logger,
  Mailer,
  Prices,
  PrivateTargets,
  Random,
  StoreCapability,
  Telemetry,
  Tokens,
} from './ports/index.js';
import type { Tier } from './contract/tiers.js';
import type { Figures } from './service/figures.js';
import type { FixedWindows } from './service/fixed-windows.js';
import type { InTurn } from './service/in-turn.js';
import type { Losses } from './service/losses.js';
import type { Lookups } from './service/shared-lookups.js';
import type { Alerts } from './service/alerts.js';

/** How the service is set up, apart from its ports. */
export interface Settings {
  /** The name of the service in the first line of the terms that a wallet signs. */
  readonly serviceName: string;
  /**
   * The address of the pages. The terms name it as the place where wallets cancel when the project has no
   * `cancel_url`, and checkouts, portals and plan links are below it. The host has these pages; an app builds
   * its own over the routes. Default: `http://localhost:3000`.
   */
  readonly publicUrl: string;
  /** The limits of each tier. */
  readonly tiers: Readonly<Record<TierName, Tier>>;
  /** Warns when the charger's SOL pays for fewer charges than this. */
  readonly warnBelowCharges: number;
  /**
   * Whether the charger may be the owner or a receiver of a plan. A thief of its key gets the payments of
   * such a plan.
   */
  readonly chargerMayOwnPlans: boolean;
  /** The sender's address of mails to customers; null when none are sent. */
  readonly mailFrom: string | null;
  /**
   * Lets webhooks go to private addresses and over plain http: true for all, or a list of hosts and address
   * blocks, such as `['localhost:3000', '10.1.0.0/16']`. Use it in development only.
   */
  readonly privateTargets: PrivateTargets;
}

/** The ports and settings of one service. Every operation and the worker get them, so nothing is global. */
export interface Service {
  /** The store. A method of a capability that it lacks rejects with `not_supported`. */
  readonly store: FullStore;
  /** The capabilities that the store lacks. */
  readonly lacks: ReadonlySet<StoreCapability>;
  readonly chain: Chain;
  readonly clock: Clock;
  /**
   * The wall clock of this host: deliveries and endpoints are due, signed and dated by it, log lines dated.
   * `clock` may be moved, with a local chain, and a pass may go by the chain's time.
   */
  readonly wallClock: Clock;
  readonly random: Random;
  readonly crypto: CryptoProvider;
  readonly sender: HttpSender;
  /** Null when no mails are sent. */
  readonly mailer: Mailer | null;
  readonly tokens: Tokens;
  readonly prices: Prices;
  readonly logger: Logger;
  /** The caller's name in the audit log; null for an unnamed process. */
  readonly actor: string | null;
  readonly settings: Settings;
  /** Measures and traces what is done. */
  readonly telemetry: Telemetry;
  /** The alerts on the service's own side. */
  readonly alerts: Alerts;
  /** The counts and readings of this process. */
  readonly figures: Figures;
  /** Which of its transactions were lost. */
  readonly losses: Losses;
  /** The look-ups that waiting calls share. */
  readonly lookups: Lookups;
  /** Opens the checkouts of links one after another, so that calls at once do not pass their cap together. */
  readonly linkCheckouts: InTurn;
  /** Counts the test mails of this process. */
  readonly testMails: FixedWindows;
}

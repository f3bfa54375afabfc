/** The charger's funds for the fees of charges, in lamports. */
export interface ChargerView {
  readonly balance: bigint;
  /** The present cost of one charge: its share of the fee, when several charges share a transaction. */
  readonly chargeFee: bigint;
  /** How many charges the balance pays for. Each fee leaves the rent of an account at least, or nothing. */
  readonly charges: bigint;
}

/**
 * How a server has answered so far: `ok`, also before its first call; `failing`, its last two calls or more
 * failed; `wrong_clock`, its clock differs from the host's and other servers', so it is not asked now.
 */
export type ServerCondition = 'ok' | 'failing' | 'wrong_clock';

/** A server of the chain, named by its place in the order given, because its address may contain a secret. */
export interface ServerState {
  readonly condition: ServerCondition;
  /** The seconds that its clock was ahead of the host's when they last differed; null when they agree. */
  readonly aheadSeconds: number | null;
  /** How often it was called, and how many of these calls failed, since the process began. */
  readonly calls: number;
  readonly failures: number;
}

/** Every server of the chain. */
export interface ServerStates {
  /** In the order in which they were given. */
  readonly servers: readonly ServerState[];
  /** The seconds that all servers' clocks are ahead of the host's; null unless all differ by the same. */
  readonly hostClockAheadSeconds: number | null;
}

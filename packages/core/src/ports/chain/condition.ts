/** The charger's funds for the fees of charges, in lamports. */
export interface ChargerView {
  readonly balance: bigint;
  /** The present cost of one charge: its share of the fee, when several charges share a transaction. */
  readonly chargeFee: bigint;
  /** How many charges the balance pays for. After each fee, the charger holds the rent of an account at least, or nothing. */
  readonly charges: bigint;
}

/**
 * How a server has answered so far: `ok`, also before its first call; `failing`, its last two calls or more failed;
 * `wrong_clock`, its clock differs from the host's and from that of others, so that it is not asked for now.
 */
export type ServerCondition = 'ok' | 'failing' | 'wrong_clock';

/** A server of the chain, named by its place in the order given, because its address may contain a secret. */
export interface ServerState {
  readonly condition: ServerCondition;
  /** How far its clock was ahead of the host's when they were last found to differ, in seconds; null when they agree. */
  readonly aheadSeconds: number | null;
  /** How often it was called, and how many of these calls failed, since the process began. */
  readonly calls: number;
  readonly failures: number;
}

/** Every server of the chain. */
export interface ServerStates {
  /** In the order in which they were given. */
  readonly servers: readonly ServerState[];
  /** By how many seconds every server's clock is ahead of the host's; null unless they all differ from it by the same. */
  readonly hostClockAheadSeconds: number | null;
}

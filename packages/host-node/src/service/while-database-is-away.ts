import { type Logger, Unavailable, type Clock } from '@subrail/core/ports';

/** The time a host waits for its database. Then it ends, and its supervisor starts it again. */
const PATIENCE_MS = 120_000;

const PAUSE_MS = 2_000;

export interface Patience {
  /** The time of the machine, which runs while the database is away. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Retries `open` while its Postgres server is away, starts, recovers or has no connection left, for two
 * minutes at most: a machine may start its hosts before its database.
 *
 * @param open leaves nothing open when it rejects
 * @returns the result of `open`; null when the signal came first
 * @throws the last error of `open`, when it cannot pass or did not pass
 */
export async function whileDatabaseIsAway<T>(
  open: () => Promise<T>,
  { clock, logger, signal }: Patience,
): Promise<T | null> {
  const end = clock.now().getTime() + PATIENCE_MS;
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      return await open();
    } catch (err) {
      if (!(err instanceof Unavailable) || clock.now().getTime() >= end) throw err;
      if (tries === 1)
        logger.warn(
          {},
          `The database cannot be used yet. The host tries again for two minutes. ${err.message}`,
        );
    }
    await clock.sleep(PAUSE_MS, signal);
  }
  return null;
}

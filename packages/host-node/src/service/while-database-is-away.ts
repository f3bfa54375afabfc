import { PostgresRefusal } from '@subrail/adapters/postgres';
import { type Logger, Unavailable, type Clock } from '@subrail/core/ports';

/** How long a host waits for its database. After that it ends, and what runs the host starts it again. */
const PATIENCE_MS = 120_000;

const PAUSE_MS = 2_000;

/** What waiting needs besides what is tried. */
export interface Patience {
  /** The time of the machine, which runs while the database is away. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Opens what needs a Postgres server, again and again while the server is away, starts, recovers or has no connection left, for two
 * minutes at most. A machine may start its hosts before its database.
 *
 * @param open leaves nothing open when it rejects
 * @returns what was opened; null when the signal came first
 * @throws what `open` rejected with last, when it cannot pass or did not pass
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
      if (!mayPass(err) || clock.now().getTime() >= end) throw err;
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

function mayPass(error: unknown): error is Unavailable | PostgresRefusal {
  return error instanceof Unavailable || (error instanceof PostgresRefusal && error.mayPass);
}

import { ServiceError } from '../contract/errors.js';
import type { Clock } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';

/**
 * How many rounds a call makes. For each round that it loses, another call succeeded. A key may make 60 writing calls a
 * minute, so after 64 rounds all of its concurrent calls have succeeded.
 */
const ROUNDS = 64;

/** For how long a call starts new rounds. On a slow chain, 64 rounds would take longer than a caller waits. */
const ROUNDS_MS = 30_000;

/**
 * Runs a round, and repeats it as long as it loses its commit to a concurrent call. Each round reads the stored state
 * again. A round that returns `lost` has changed nothing. Throws `subscription_changed` when other calls were faster
 * every time (checkout#concurrent-calls-and-conflicts).
 */
export async function retryOnConflict<T>(clock: Clock, round: () => Promise<T | 'lost'>): Promise<T> {
  const until = plus(clock.now(), ROUNDS_MS);
  for (let count = 0; count < ROUNDS && clock.now() <= until; count++) {
    const result = await round();
    if (result !== 'lost') return result;
  }
  throw new ServiceError('subscription_changed');
}

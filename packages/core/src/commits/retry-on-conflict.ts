import { ServiceError } from '../contract/errors.js';
import type { Clock } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';

/**
 * How many rounds a call makes. For each lost round another call succeeded, and a key may make 60 writing
 * calls a minute.
 */
const ROUNDS = 64;

/** How long a call starts new rounds. On a slow chain, 64 rounds take longer than a caller waits. */
const ROUNDS_MS = 30_000;

/**
 * Repeats a round as long as it loses its commit to a concurrent call. Each round reads the stored state
 * again, and a lost one has changed nothing. Throws `subscription_changed` when other calls were faster every
 * time (checkout#concurrent-calls-and-conflicts).
 */
export async function retryOnConflict<T>(clock: Clock, round: () => Promise<T | 'lost'>): Promise<T> {
  const until = plus(clock.now(), ROUNDS_MS);
  for (let count = 0; count < ROUNDS && clock.now() <= until; count++) {
    const result = await round();
    if (result !== 'lost') return result;
  }
  throw new ServiceError('subscription_changed');
}

import { ServiceError } from '../contract/errors.js';
import type { Clock } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';

/**
 * How many rounds a call makes. Every lost round is another call that succeeded, and a key makes 60 calls a minute, so
 * identical calls are all through by then.
 */
const ROUNDS = 64;

/** How long a call makes new rounds. When the chain is slow, 64 rounds would outlast the caller's patience. */
const ROUNDS_MS = 30_000;

/**
 * Runs a round again on the stored state of the moment, as long as it loses its commit to a concurrent call. A round
 * that returns `lost` has changed nothing. Throws `subscription_changed` when other calls were faster every time
 * (checkout#concurrent-calls-and-conflicts).
 */
export async function retryOnConflict<T>(clock: Clock, round: () => Promise<T | 'lost'>): Promise<T> {
  const until = plus(clock.now(), ROUNDS_MS);
  for (let count = 0; count < ROUNDS && clock.now() <= until; count++) {
    const result = await round();
    if (result !== 'lost') return result;
  }
  throw new ServiceError('subscription_changed');
}

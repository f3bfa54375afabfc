import { ServiceError } from '../contract/errors.js';
import type { Clock } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';

/**
 * How often something is begun anew. Every lost round is another call that got on, so identical calls are all through
 * by then: a key makes 60 a minute (contract, Limits).
 */
const ROUNDS = 64;

/** How long something is begun anew: on a chain that answers slowly its rounds must not outlast the callers' patience. */
const ROUNDS_MS = 30_000;

/**
 * Every route is safe to call twice, at once too (contract, convention 9): what lost its commit to another call is done again
 * on the subscription as it stands then, and comes to what it would have come to a moment later. A round has changed
 * nothing when it answers `lost`. Throws `subscription_changed` when others were faster all the time.
 */
export async function retryOnConflict<T>(clock: Clock, round: () => Promise<T | 'lost'>): Promise<T> {
  const until = plus(clock.now(), ROUNDS_MS);
  for (let count = 0; count < ROUNDS && clock.now() <= until; count++) {
    const done = await round();
    if (done !== 'lost') return done;
  }
  throw new ServiceError('subscription_changed');
}

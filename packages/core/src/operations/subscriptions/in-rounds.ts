import { ServiceError } from '../../contract/errors.js';

/**
 * How often something is begun anew. Every lost round is another call that got on, so identical calls are all through
 * by then: a key makes 60 a minute (contract, Limits).
 */
const ROUNDS = 64;

/**
 * Every route is safe to call twice, at once too (contract, convention 9): what lost its commit to another call is done again
 * on the subscription as it stands then, and comes to what it would have come to a moment later. A round has changed
 * nothing when it answers `lost`. Throws `subscription_changed` when others were faster all the time.
 */
export async function inRounds<T>(round: () => Promise<T | 'lost'>): Promise<T> {
  for (let count = 0; count < ROUNDS; count++) {
    const done = await round();
    if (done !== 'lost') return done;
  }
  throw new ServiceError('subscription_changed');
}

import { ServiceError } from '../contract/errors.js';
import type { ChainResult } from '../ports/index.js';

/**
 * What the chain answered. Throws `network_unavailable` when it did not answer, so that nothing is decided without it.
 */
export function requireAnswer<T>(answer: ChainResult<T>): T {
  if (answer.ok) return answer.value;
  throw new ServiceError('network_unavailable', { cause: answer.unavailable });
}

import { ServiceError, type ErrorCode } from '../contract/errors.js';
import type { Random } from '../ports/index.js';
import type { HandlerOptions } from './answer-routes.js';
import { belowBasePath } from './base-path.js';
import { Exchange } from './exchange.js';
import type { PlainRequest, PlainResponse } from './plain.js';

export type PlainRefusal = (request: PlainRequest, code: ErrorCode) => PlainResponse;

/**
 * Makes the refusals of whoever stands before a handler, such as a server on its way out: with the headers and the body
 * of every error (contract, Conventions 6 and 7), which the client could not tell from the handler's own.
 *
 * @example
 * const refuse = createPlainRefusal(createRandom(), { basePath: '/billing' });
 * const { status, headers, body } = refuse(request, 'unavailable');
 */
export function createPlainRefusal(random: Random, options: HandlerOptions = {}): PlainRefusal {
  const below = belowBasePath(options.basePath);
  return (request, code) => new Exchange(request, below(request.path), random).refuse(new ServiceError(code));
}

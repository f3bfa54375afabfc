import { ServiceError, type ErrorCode } from '../contract/errors.js';
import type { Random } from '../ports/index.js';
import type { HandlerOptions } from './router.js';
import { belowBasePath } from './base-path.js';
import { ResponseBuilder } from './response-builder.js';
import type { HandlerRequest, HandlerResponse } from './handler-request.js';

export type Refuse = (request: HandlerRequest, code: ErrorCode) => HandlerResponse;

/**
 * Makes the refusals of whoever stands before a handler, such as a server on its way out: with the headers and the body
 * of every error (contract, Conventions 6 and 7), which the client could not tell from the handler's own.
 *
 * @example
 * const refuse = createPlainRefusal(createRandom(), { basePath: '/billing' });
 * const { status, headers, body } = refuse(request, 'unavailable');
 */
export function createRefuse(random: Random, options: HandlerOptions = {}): Refuse {
  const below = belowBasePath(options.basePath);
  return (request, code) => new ResponseBuilder(request, below(request.path), random).refuse(new ServiceError(code));
}

import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { Nothing } from '../contract/requests.js';
import { validated } from '../contract/validated.js';
import type { ChainUnavailable } from '../ports/index.js';
import { Unavailable } from '../ports/unavailable.js';
import type { Service } from '../service.js';
import { createAuthenticate, type Caller } from './authenticate.js';
import { belowBasePath } from './base-path.js';
import { ResponseBuilder } from './response-builder.js';
import { routeFinder, type Found } from './find-route.js';
import { FixedWindows } from './fixed-windows.js';
import { parseObject, readBytes, refuseLongBody, refuseOtherContent } from './read-body.js';
import { readQuery } from './read-query.js';
import type { RequestHandler, HandlerRequest, HandlerResponse } from './handler-request.js';
import type { Route } from './route.js';

export interface HandlerOptions {
  /** What stands before `/v1` in the address's path, such as `/billing`; empty when nothing does. */
  readonly basePath?: string;
}

/**
 * Serves a table of routes, every check in the order of requests#order-of-checks. It works on plain values, and every mount stands on it: so the
 * answer to a request never depends on how it came in. Never rejects.
 */
export function createRouter(
  service: Service,
  routes: readonly Route[],
  options: HandlerOptions = {},
): RequestHandler {
  const below = belowBasePath(options.basePath);
  const find = routeFinder(routes);
  const authenticate = createAuthenticate(service);
  const anonymousLimiter = new FixedWindows(service.clock, LIMITS.callersRemembered);
  const keyLimiter = new FixedWindows(service.clock, LIMITS.callersRemembered);

  function count(caller: Caller, found: Found | null, request: HandlerRequest) {
    if (!caller.known) return anonymousLimiter.count(request.ip, LIMITS.strangerCallsPerMinute);
    // Unknown paths count as one route of the read class (requests#fixed-rate-limit-window).
    const name = found === null ? 'unknown' : `${found.route.method} ${found.route.path}`;
    return keyLimiter.count(`${caller.key.id} ${name}`, LIMITS.callsPerMinute[found?.route.rate ?? 'read']);
  }

  async function answer(
    exchange: ResponseBuilder,
    found: Found | null,
    request: HandlerRequest,
  ): Promise<HandlerResponse> {
    const caller = await authenticate(request.header('authorization'));
    exchange.spend(count(caller, found, request));
    if (found === null) {
      throw new ServiceError('not_found', {
        message: `Cannot ${request.method} ${request.path.slice(0, 200)}`,
      });
    }
    if (!caller.known) throw new ServiceError(caller.code);
    exchange.refuseUnservedVersion();
    refuseLongBody(request.header('content-length'));
    const { route, named } = found;
    const bytes = route.method === 'POST' ? await readBytes(request.body) : null;
    refuseUnnameable(route, named);
    const query = validated(route.query, readQuery(request.search));
    const body = bytes === null ? undefined : bodyOf(route, request.header('content-type'), bytes);
    const call = { service, project: caller.project, named, query, body };
    return exchange.answer(route.status, await route.operation(call));
  }

  return async (request) => {
    const path = below(request.path);
    const exchange = new ResponseBuilder(request, path, service.random);
    const found = path === null ? null : find(request.method, path);
    try {
      return await answer(exchange, found, request);
    } catch (thrown) {
      const error = refusalOf(thrown);
      if (error.status >= 500) {
        const { requestId } = exchange;
        const route = found === null ? null : `${found.route.method} ${found.route.path}`;
        service.logger.error(
          { request_id: requestId, route, code: error.code, cause: facts(error.cause) },
          error.message,
        );
      }
      return exchange.refuse(error);
    }
  };
}

/** No id or slug has these letters, so nothing is asked of a store that may not even keep them. */
function refuseUnnameable(route: Route, named: string): void {
  if (route.missing !== null && !/^[A-Za-z0-9_-]{1,64}$/.test(named)) throw new ServiceError(route.missing);
}

function bodyOf(route: Route, contentType: string | null, bytes: Uint8Array): unknown {
  if (route.body === null) {
    if (bytes.byteLength > 0) validated(Nothing, parseObject(bytes));
    return undefined;
  }
  refuseOtherContent(contentType);
  return validated(route.body, parseObject(bytes));
}

function refusalOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof Unavailable) return new ServiceError('unavailable', { cause: thrown });
  return new ServiceError('internal_error', { cause: thrown });
}

/** What a log may know of a fault. Nothing of the request is in it: a key or a customer's data never reaches a log. */
function facts(cause: unknown): object | null {
  if (cause === undefined) return null;
  if (cause instanceof Error) return { name: cause.name, message: cause.message, stack: cause.stack };
  return isChainUnavailable(cause) ? cause : { thrown: typeof cause };
}

/** Why the chain did not answer says nothing of who asked. */
function isChainUnavailable(cause: unknown): cause is ChainUnavailable {
  const kind = typeof cause === 'object' && cause !== null && 'kind' in cause ? cause.kind : null;
  return kind === 'transport' || kind === 'rpc';
}

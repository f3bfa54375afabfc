import type { Service } from '../service.js';
import { createRouter } from './router.js';
import type { RequestHandler } from './handler-request.js';
import { ROUTES } from './routes.js';
import { mountFetch, type Handler, type HandlerOptions } from './fetch-mount.js';

export * from './refuse.js';
export type { RequestHandler, HandlerRequest, HandlerResponse } from './handler-request.js';
export type { Client, Handler, HandlerOptions } from './fetch-mount.js';

/**
 * Serves the contract: a function from a fetch Request to a Response, to be mounted in anything that speaks fetch.
 * `client.ip` is whom calls without a valid key are counted against; without it they share one count. Never rejects.
 *
 * @example
 * const handler = createHandler(billing, { basePath: '/billing' });
 * const response = await handler(request, { ip: '203.0.113.7' });
 */
export function createHandler(billing: { readonly service: Service }, options?: HandlerOptions): Handler {
  return mountFetch(billing.service, ROUTES, options);
}

/**
 * Serves the contract in plain values, with the same answers as `createHandler`, which stands on it: for a server that
 * does not speak fetch, and would spend more on a Request and a Response than the service does on the answer. Never rejects.
 *
 * @example
 * const answer = createPlainHandler(billing);
 * const { status, headers, body } = await answer(request);
 */
export function createRequestHandler(
  billing: { readonly service: Service },
  options?: HandlerOptions,
): RequestHandler {
  return createRouter(billing.service, ROUTES, options);
}

import type { Service } from '../service.js';
import { answerRoutes } from './answer-routes.js';
import type { PlainHandler } from './plain.js';
import { ROUTES } from './routes.js';
import { serveRoutes, type Handler, type HandlerOptions } from './serve-routes.js';

export * from './plain-refusal.js';
export type { PlainHandler, PlainRequest, PlainResponse } from './plain.js';
export type { Client, Handler, HandlerOptions } from './serve-routes.js';

/**
 * Serves the contract: a function from a fetch Request to a Response, to be mounted in anything that speaks fetch.
 * `client.ip` is whom calls without a valid key are counted against; without it they share one count. Never rejects.
 *
 * @example
 * const handler = createHandler(billing, { basePath: '/billing' });
 * const response = await handler(request, { ip: '203.0.113.7' });
 */
export function createHandler(billing: { readonly service: Service }, options?: HandlerOptions): Handler {
  return serveRoutes(billing.service, ROUTES, options);
}

/**
 * Serves the contract in plain values, with the same answers as `createHandler`, which stands on it: for a server that
 * does not speak fetch, and would spend more on a Request and a Response than the service does on the answer. Never rejects.
 *
 * @example
 * const answer = createPlainHandler(billing);
 * const { status, headers, body } = await answer(request);
 */
export function createPlainHandler(
  billing: { readonly service: Service },
  options?: HandlerOptions,
): PlainHandler {
  return answerRoutes(billing.service, ROUTES, options);
}

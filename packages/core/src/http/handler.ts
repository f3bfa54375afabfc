import type { Service } from '../service.js';
import { ROUTES } from './routes.js';
import { serveRoutes, type Handler, type HandlerOptions } from './serve-routes.js';

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

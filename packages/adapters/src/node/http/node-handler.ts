import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRefuse, createRequestHandler, type RequestHandlerOptions, type Served } from '@subrail/core';
import { requireClientAddress, type ClientAddressOptions } from './client-address.js';
import { isBodyLost, toHandlerRequest } from './node-request.js';
import { sendResponse } from './send-response.js';

/** The base path, additions to `/health`, and the address of clients. */
export interface NodeHandlerOptions<Request extends IncomingMessage = IncomingMessage>
  extends RequestHandlerOptions, ClientAddressOptions<Request> {}

/**
 * A handler for the server of Node and frameworks on it. It never throws. `next`, of a framework, is called
 * for requests outside of the base path, and with the error when something else has answered already.
 */
export type NodeHandler<Request extends IncomingMessage = IncomingMessage> = (
  request: Request,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Serves the contract on the server of Node and frameworks on it: `/v1`, `/openapi.json` and `/health`, with
 * the answers of `billing.handler`. It reads the body itself, and refuses a long one before all of it
 * arrived. Behind a parser it takes `request.body`.
 *
 * Fastify has two ways: a scope without parsers, as in the example, leaves the body to the handler; behind
 * the parsers of Fastify, pass on what they read: `handler(Object.assign(request.raw, { body: request.body
 * }), reply.raw)`.
 *
 * @throws TypeError that names the option when one is of no use
 * @example
 * import { createServer } from 'node:http';
 * import express from 'express';
 * import fastify from 'fastify';
 *
 * // Node's server
 * createServer(toNodeHandler(billing)).listen(3000);
 *
 * // Express 5, before or behind express.json(). Express strips the path, so there is no basePath.
 * express().use('/billing', toNodeHandler(billing));
 *
 * // Fastify 5
 * const handler = toNodeHandler(billing, { basePath: '/billing' });
 * await fastify().register(async (scope) => {
 *   scope.removeAllContentTypeParsers();
 *   scope.addContentTypeParser('*', (_request, _body, done) => done(null));
 *   scope.all('/billing/*', (request, reply) => {
 *     reply.hijack();
 *     handler(request.raw, reply.raw);
 *   });
 * });
 */
export function toNodeHandler<Request extends IncomingMessage = IncomingMessage>(
  billing: Served,
  options: NodeHandlerOptions<Request> = {},
): NodeHandler<Request> {
  requireClientAddress(options as ClientAddressOptions);
  const { basePath = '' } = options;
  const { random, logger } = billing.service;
  const handle = createRequestHandler(billing, options);
  const refuse = createRefuse(random, options);
  const isBelow = (path: string) => path === basePath || path.startsWith(`${basePath}/`);

  async function answer(incoming: Request, outgoing: ServerResponse): Promise<void> {
    const request = toHandlerRequest(incoming, options);
    if (!isBodyLost(incoming)) {
      await sendResponse(await handle(request), outgoing);
      return;
    }
    const response = refuse(request, 'internal_error');
    logger.error(
      { request_id: response.headers['Service-Request-Id'] },
      'The body of a request was read before toNodeHandler and is not in request.body. Mount the handler before what reads it, or set request.body.',
    );
    await sendResponse(response, outgoing);
  }

  return (incoming, outgoing, next) => {
    if (next !== undefined && basePath !== '' && !isBelow(toHandlerRequest(incoming).path)) {
      next();
      return;
    }
    answer(incoming, outgoing).catch((error: unknown) => {
      logger.error({ err: error }, 'An answer could not be sent.');
      if (next !== undefined) next(error);
      else outgoing.destroy();
    });
  };
}

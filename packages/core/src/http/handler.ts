import { ServiceError, type ErrorCode } from '../contract/errors.js';
import type { RoutedOperation } from '../operations/operation.js';
import { ROUTED_OPERATIONS } from '../operations/table.js';
import type { Random } from '../ports/index.js';
import type { Service } from '../service.js';
import { belowBasePath } from './find-route.js';
import type { HandlerOptions, HandlerRequest, HandlerResponse, RequestHandler } from './handler-request.js';
import { ResponseBuilder } from './response-builder.js';
import { createRouter } from './router.js';

export type { HandlerOptions, HandlerRequest, HandlerResponse, RequestHandler } from './handler-request.js';

/** Who sent a request, as the host knows it. */
export interface HandlerClient {
  /** The client's address. Calls without a valid key are counted against it. */
  readonly ip: string;
}

/** The service as a function from a fetch Request to a Response. It never rejects. */
export type FetchHandler = (request: Request, client?: HandlerClient) => Promise<Response>;

/**
 * Serves the contract to anything that speaks fetch. Calls without a valid key are counted against `client.ip`; requests
 * without a client share one count. The handler never rejects.
 *
 * @example
 * const handler = createHandler(billing, { basePath: '/billing' });
 * const response = await handler(request, { ip: '203.0.113.7' });
 */
export function createHandler(
  billing: { readonly service: Service },
  options?: HandlerOptions,
): FetchHandler {
  return mountFetch(billing.service, ROUTED_OPERATIONS, options);
}

/**
 * Serves the contract in plain values, with the same answers as `createHandler`: for a server that does not speak fetch, and
 * would spend more on a Request and a Response than the service does on the answer. The handler never rejects.
 *
 * @example
 * const handle = createRequestHandler(billing);
 * const { status, headers, body } = await handle(request);
 */
export function createRequestHandler(
  billing: { readonly service: Service },
  options?: HandlerOptions,
): RequestHandler {
  return createRouter(billing.service, ROUTED_OPERATIONS, options);
}

/** Answers a request with an error of the contract. */
export type Refuse = (request: HandlerRequest, code: ErrorCode) => HandlerResponse;

/**
 * Makes the refusals of a server in front of a handler, such as one that is shutting down. They have the headers and the
 * body of every error of the contract, so that a client cannot tell them from the handler's own.
 *
 * @example
 * const refuse = createRefuse(random, { basePath: '/billing' });
 * const { status, headers, body } = refuse(request, 'unavailable');
 */
export function createRefuse(random: Random, options: HandlerOptions = {}): Refuse {
  const below = belowBasePath(options.basePath);
  return (request, code) =>
    new ResponseBuilder(request, below(request.path), random).refuse(new ServiceError(code));
}

/** Serves a table of operations to anything that speaks fetch. The handler never rejects. */
export function mountFetch(
  service: Service,
  operations: readonly RoutedOperation[],
  options?: HandlerOptions,
): FetchHandler {
  const handle = createRouter(service, operations, options);
  return async (request, client) => {
    const { status, headers, body } = await handle(new FetchRequest(request, client));
    return new Response(body === '' ? null : body, { status, headers });
  };
}

/** A fetch Request in plain values. Headers and body are read lazily. */
class FetchRequest implements HandlerRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly ip: string;

  constructor(
    private readonly request: Request,
    client: HandlerClient | undefined,
  ) {
    const { pathname, search } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.search = search;
    this.ip = client?.ip ?? 'unknown';
  }

  get body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.request);
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // The answer does not wait until the sender has stopped.
    reader.cancel().catch(() => undefined);
  }
}

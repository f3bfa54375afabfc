import { once } from 'node:events';
import { createServer, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendResponse, toHandlerRequest } from '@subrail/adapters/node';
import type { RequestHandler, Refuse, HandlerRequest, HandlerResponse } from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { refuseUnread } from './refuse-unread.js';

/** The time a request has to arrive, and a connection to bring the next request. */
const TIMEOUTS: Pick<ServerOptions, 'requestTimeout' | 'headersTimeout' | 'keepAliveTimeout'> = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
};

/** Idle connections are closed after this. Every answer takes less: a submit waits at most 90 seconds. */
const IDLE_TIMEOUT_MS = 120_000;

/** The most open connections: more than clients need, and few enough for one process. */
const MAX_CONNECTIONS = 10_000;

/** The address and the handler of a server. */
export interface ServeOptions {
  /** The address to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The number of proxies in front of the server that append to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** Answers the requests. */
  readonly handle: RequestHandler;
  /** Refuses a request that arrives while the server stops, or whose handler throws. */
  readonly refuse: Refuse;
  readonly logger: Logger;
  /** Other limits for requests to arrive, and another interval at which Node checks them. */
  readonly timeouts?: ServerOptions;
  /** The time requests in flight have to finish when the server stops. */
  readonly shutdownTimeoutMs: number;
}

/** A listening server. */
export interface Server {
  /** The port it listens on. */
  readonly port: number;
  /**
   * Accepts no more connections, answers 503 to new requests on open ones, and lets requests in flight
   * finish. After the shutdown timeout it closes the connections that are left. Once this resolves, the
   * handler gets no more requests.
   */
  stop(): Promise<void>;
}

/** Starts a server. Rejects with Node's error when it cannot listen on the port. */
export async function serve(options: ServeOptions): Promise<Server> {
  const { logger, refuse } = options;
  let inFlight = 0;
  let onIdle = (): void => undefined;
  let stopping = false;

  async function answer(
    request: HandlerRequest,
    refusal: HandlerResponse | null,
    outgoing: ServerResponse,
  ): Promise<void> {
    const started = performance.now();
    // An open connection can still bring a request after stopping has begun.
    const response = refusal ?? (stopping ? refuse(request, 'unavailable') : await options.handle(request));
    if (stopping) outgoing.setHeader('connection', 'close');
    await sendResponse(response, outgoing);
    // The query identifies customers, so only the path is logged.
    const fields = {
      method: request.method,
      path: request.path.split('?')[0],
      status: response.status,
      ms: Math.round(performance.now() - started),
      requestId: response.headers['Service-Request-Id'] ?? null,
    };
    logger.debug(fields, 'A request was answered.');
  }

  async function answerError(
    error: unknown,
    request: HandlerRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    const response = refuse(request, 'internal_error');
    const requestId = response.headers['Service-Request-Id'];
    logger.error(
      { err: error, method: request.method, requestId },
      'The handler could not answer a request.',
    );
    if (outgoing.headersSent) outgoing.destroy();
    else await sendResponse(response, outgoing);
  }

  /** Resolves when no request is in flight, including those that begin while it waits. */
  function untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      onIdle = resolve;
      if (inFlight === 0) resolve();
    });
  }

  const server = createServer(
    { ...TIMEOUTS, ...options.timeouts, requireHostHeader: false },
    (incoming, outgoing) => {
      const request = toHandlerRequest(incoming, options);
      inFlight += 1;
      void answer(request, refusalOf(incoming, outgoing), outgoing)
        .catch((error: unknown) => answerError(error, request, outgoing))
        .finally(() => {
          inFlight -= 1;
          if (inFlight === 0) onIdle();
        });
    },
  );
  const refusalOf = refuseUnread(server, refuse);
  server.setTimeout(IDLE_TIMEOUT_MS);
  server.maxConnections = MAX_CONNECTIONS;
  await once(server.listen(options.port, options.host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      stopping = true;
      const closed = once(server.close(), 'close');
      const timeout = new AbortController();
      await Promise.race([
        untilIdle(),
        sleep(options.shutdownTimeoutMs, undefined, { signal: timeout.signal }),
      ]);
      timeout.abort();
      // Connections without a request would keep the server open until their clients close them.
      server.closeAllConnections();
      await closed;
    },
  };
}

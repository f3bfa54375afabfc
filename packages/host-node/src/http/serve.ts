import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger, RequestHandler, Refuse, HandlerRequest } from '@subrail/core';
import { toHandlerRequest, sendResponse } from './node-request.js';

/** A client that neither sends nor reads is given up; no answer takes so long, a submit's 90 seconds included. */
const SILENCE_MS = 120_000;

/** Far more than clients that keep their connections open need, and what one process can still hold. */
const MAX_CONNECTIONS = 10_000;

export interface ServeOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly trustedProxies: number;
  readonly handle: RequestHandler;
  /** Answers where the handler is not asked, or throws. */
  readonly refuse: Refuse;
  readonly logger: Logger;
  /** How long requests in flight may take to finish once the server stops. */
  readonly shutdownTimeoutMs: number;
}

export interface Server {
  readonly port: number;
  /**
   * Accepts no connection, answers 503 to what begins on an open one, lets requests in flight finish, and after the grace
   * cuts those that are left. Once it resolves nothing is handed to the handler any more.
   */
  stop(): Promise<void>;
}

/** Listens. Rejects with Node's error when the port cannot be had. */
export async function serve(options: ServeOptions): Promise<Server> {
  const { logger, refuse } = options;
  let inFlight = 0;
  let whenNoneInFlight = (): void => undefined;
  let stopping = false;

  async function answer(request: HandlerRequest, outgoing: ServerResponse): Promise<void> {
    const started = performance.now();
    // A connection that was open already can still bring a request when what answers it is on its way out.
    const response = stopping ? refuse(request, 'unavailable') : await options.handle(request);
    if (stopping) outgoing.setHeader('connection', 'close');
    await sendResponse(response, outgoing);
    // The query names customers, so only the path is kept.
    const facts = {
      method: request.method,
      path: request.path.split('?')[0],
      status: response.status,
      ms: Math.round(performance.now() - started),
      requestId: response.headers['Service-Request-Id'] ?? null,
    };
    logger.debug(facts, 'request');
  }

  async function answerFault(
    error: unknown,
    request: HandlerRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    const response = refuse(request, 'internal_error');
    const requestId = response.headers['Service-Request-Id'];
    logger.error({ err: error, method: request.method, requestId }, 'a request could not be answered');
    if (outgoing.headersSent) outgoing.destroy();
    else await sendResponse(response, outgoing);
  }

  /** Also the requests that begin while it waits. */
  function allAnswered(): Promise<void> {
    return new Promise((resolve) => {
      whenNoneInFlight = resolve;
      if (inFlight === 0) resolve();
    });
  }

  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (incoming, outgoing) => {
      const request = toHandlerRequest(incoming, options.trustedProxies);
      inFlight += 1;
      void answer(request, outgoing)
        .catch((error: unknown) => answerFault(error, request, outgoing))
        .finally(() => {
          inFlight -= 1;
          if (inFlight === 0) whenNoneInFlight();
        });
    },
  );
  server.setTimeout(SILENCE_MS);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      stopping = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      const grace = new AbortController();
      await Promise.race([
        allAnswered(),
        sleep(options.shutdownTimeoutMs, undefined, { signal: grace.signal }),
      ]);
      grace.abort();
      // Connections that never sent a request would hold the server open for as long as their clients please.
      server.closeAllConnections();
      await closed;
    },
  };
}

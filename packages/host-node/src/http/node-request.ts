import type { IncomingMessage } from 'node:http';
import type { HandlerRequest } from '@subrail/core';
import { clientAddress } from './client-address.js';

/** Wraps a Node request as the request that core's handler reads. */
export function toHandlerRequest(incoming: IncomingMessage, trustedProxies: number): HandlerRequest {
  const { method = 'GET', url = '' } = incoming;
  return new NodeRequest(incoming, trustedProxies, method, url);
}

/** Headers, body and client address are read lazily: most requests need only the path and one header. */
class NodeRequest implements HandlerRequest {
  readonly path: string;
  readonly search: string;
  readonly #incoming: IncomingMessage;
  readonly #trustedProxies: number;
  readonly #peer: string | undefined;

  constructor(
    incoming: IncomingMessage,
    trustedProxies: number,
    readonly method: string,
    target: string,
  ) {
    const { pathname, search } = parseTarget(target);
    this.path = pathname;
    this.search = search;
    this.#incoming = incoming;
    this.#trustedProxies = trustedProxies;
    // Read now: the socket loses the address when the client disconnects.
    this.#peer = incoming.socket.remoteAddress;
  }

  get ip(): string {
    return clientAddress(this.#peer, this.header('x-forwarded-for') ?? undefined, this.#trustedProxies);
  }

  get body(): AsyncIterable<Uint8Array> {
    return readBody(this.#incoming);
  }

  header(name: string): string | null {
    return this.#incoming.headersDistinct[name]?.join(', ') ?? null;
  }
}

/**
 * The path and the query of a request target, which may be an absolute URL (RFC 9112). The URL's host is ignored:
 * requests are routed by path only, and the client can write any host it likes.
 */
function parseTarget(target: string): Pick<URL, 'pathname' | 'search'> {
  if (target.startsWith('/')) return new URL(`http://localhost${target}`);
  if (/^https?:/i.test(target) && URL.canParse(target)) return new URL(target);
  return { pathname: target, search: '' };
}

/**
 * Reads the body from the socket only as fast as the caller asks, so that a caller who limits its size can stop in
 * time. Stopping early leaves the socket open, because the answer is still to be sent on it.
 */
async function* readBody(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    incoming.resume();
  }
}

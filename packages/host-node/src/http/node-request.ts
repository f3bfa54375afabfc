import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandlerRequest, HandlerResponse } from '@subrail/core';
import { clientAddress } from './client-address.js';

/** A Node request in plain values. */
export function toHandlerRequest(incoming: IncomingMessage, trustedProxies: number): HandlerRequest {
  const { method = 'GET', url = '' } = incoming;
  return new NodeRequest(incoming, trustedProxies, method, url);
}

/** What costs something is made when it is asked for: most requests are answered by their path and one header. */
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
    const { pathname, search } = addressed(target);
    this.path = pathname;
    this.search = search;
    this.#incoming = incoming;
    this.#trustedProxies = trustedProxies;
    // Asked of the socket now: once the client is gone it no longer knows.
    this.#peer = incoming.socket.remoteAddress;
  }

  get ip(): string {
    return clientAddress(this.#peer, this.header('x-forwarded-for') ?? undefined, this.#trustedProxies);
  }

  get body(): AsyncIterable<Uint8Array> {
    return piecesOf(this.#incoming);
  }

  header(name: string): string | null {
    return this.#incoming.headersDistinct[name]?.join(', ') ?? null;
  }
}

/**
 * The path and the query of a target, which may be a whole address (RFC 9112 section 3.2.2). The authority is never looked
 * at: the path is all that routes, and the host is the client's word.
 */
function addressed(target: string): Pick<URL, 'pathname' | 'search'> {
  if (target.startsWith('/')) return new URL(`http://localhost${target}`);
  if (/^https?:/i.test(target) && URL.canParse(target)) return new URL(target);
  return { pathname: target, search: '' };
}

/**
 * The body, read from the socket only as fast as it is asked for, so that whoever counts its bytes can stop in time.
 * Leaving it leaves the socket open: the answer still has to go out on it.
 */
async function* piecesOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    incoming.resume();
  }
}

/** How long a client may take to hear an answer that came before its body was in. */
const LINGER_MS = 2_000;

/** Writes an answer, whole and with its length, and resolves once it is out or the client is gone. */
export async function sendResponse(response: HandlerResponse, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  const { status, headers, body } = response;
  const { complete, method } = outgoing.req;
  // What is left of a body nobody wanted is not worth another request on the same connection.
  if (!complete) outgoing.setHeader('Connection', 'close');
  outgoing.writeHead(
    status,
    method === 'HEAD' ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
  );
  const over = new Promise<void>((resolve) => outgoing.once('close', resolve));
  if (complete) outgoing.end(body);
  else linger(outgoing, body);
  await over;
}

/**
 * Answers a client that is still sending. Closing at once would reset the connection under its hands, and the answer
 * would be lost with it (RFC 9112 section 9.6): so the whole answer goes out, and what still comes in is thrown away.
 */
function linger(outgoing: ServerResponse, body: string): void {
  const incoming = outgoing.req;
  const end = (): void => {
    outgoing.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  outgoing.once('close', () => {
    clearTimeout(timer);
  });
  incoming.once('end', end);
  incoming.resume();
  outgoing.flushHeaders();
  outgoing.write(body);
}

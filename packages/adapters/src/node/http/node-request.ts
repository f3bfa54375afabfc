import type { IncomingMessage } from 'node:http';
import type { HandlerRequest } from '@subrail/core';
import { UNKNOWN, forwardedAddress, type ClientAddressOptions } from './client-address.js';

/** A request of Node whose body a parser may have read already, as Express and body-parser leave it. */
export type ParsedMessage = IncomingMessage & { readonly body?: unknown };

/**
 * Wraps a Node request as the request that core's handler reads, for a server of your own in front of
 * `createRequestHandler`. Headers, body and client address are read lazily. A body that was read and parsed before is
 * taken from `incoming.body`.
 */
export function toHandlerRequest<Request extends IncomingMessage>(
  incoming: Request,
  options: ClientAddressOptions<Request> = {},
): HandlerRequest {
  const { method = 'GET', url = '' } = incoming;
  return new NodeRequest(incoming, options, method, url);
}

/** A request of which most need only the path and one header, so nothing else is read before it is asked for. */
class NodeRequest<Request extends IncomingMessage> implements HandlerRequest {
  readonly path: string;
  readonly search: string;
  readonly #incoming: Request;
  readonly #options: ClientAddressOptions<Request>;
  readonly #peer: string | undefined;

  constructor(
    incoming: Request,
    options: ClientAddressOptions<Request>,
    readonly method: string,
    target: string,
  ) {
    const { pathname, search } = parseTarget(target);
    this.path = pathname;
    this.search = search;
    this.#incoming = incoming;
    this.#options = options;
    // Read now: the socket loses the address when the client disconnects.
    this.#peer = incoming.socket.remoteAddress;
  }

  get ip(): string {
    const { clientAddress, trustedProxies = 0 } = this.#options;
    if (clientAddress !== undefined) return clientAddress(this.#incoming) ?? UNKNOWN;
    return forwardedAddress(this.#peer, this.header('x-forwarded-for') ?? undefined, trustedProxies);
  }

  get body(): AsyncIterable<Uint8Array> {
    const { body }: ParsedMessage = this.#incoming;
    if (this.#incoming.readableDidRead && body !== undefined) return parsedBody(body);
    // Nothing of another version says whether there is a body before it is read.
    const hasBody =
      this.#incoming.httpVersionMajor !== 1 ||
      isBodySent(this.header('content-length'), this.header('transfer-encoding'));
    return hasBody ? readBody(this.#incoming) : NO_BODY;
  }

  header(name: string): string | null {
    // The requests of HTTP/2, and those of test tools that open no socket, have only the joined headers.
    if ('headersDistinct' in this.#incoming) return joinedHeader(this.#incoming.rawHeaders, name);
    const value = (this.#incoming as Partial<IncomingMessage>).headers?.[name];
    return (typeof value === 'string' ? value : value?.join(', ')) ?? null;
  }
}

/**
 * The values of a header, joined, among names and values in turn; null without any. Node's own objects of headers are made of all of
 * them, and a request is asked for a few.
 */
function joinedHeader(namesAndValues: readonly string[], name: string): string | null {
  let joined: string | null = null;
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const sent = namesAndValues[at];
    if (sent?.length !== name.length || sent.toLowerCase() !== name) continue;
    const value = namesAndValues[at + 1] ?? '';
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** Whether a body was sent with a request of HTTP/1, as these headers say (RFC 9112). */
function isBodySent(length: string | null, encoding: string | null): boolean {
  return encoding !== null || (length ?? '0') !== '0';
}

/** The body of a request without one. */
const NO_BODY: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Whether the body was read before and is not in `incoming.body`, so that it is lost. */
export function isBodyLost(incoming: ParsedMessage): boolean {
  const { 'content-length': length = null, 'transfer-encoding': encoding = null } = incoming.headers;
  return isBodySent(length, encoding) && incoming.readableDidRead && incoming.body === undefined;
}

/** A target that a URL would leave as it is: without dots in its path, and without a character that is encoded or ends a part. */
const PLAIN_TARGET = /^(\/[\w/-]*)(\?[\w.~!$&()*+,;=:@%/?-]+)?$/;

/**
 * The path and the query of a request target, which may be an absolute URL (RFC 9112). The URL's host is ignored:
 * requests are routed by path only, and the client can write any host it likes.
 */
function parseTarget(target: string): Pick<URL, 'pathname' | 'search'> {
  const [plain, pathname = '', search = ''] = PLAIN_TARGET.exec(target) ?? [];
  if (plain !== undefined) return { pathname, search };
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

/** A parsed body as bytes again: what a parser of bytes or text left as it is, anything else as JSON. */
async function* parsedBody(body: unknown): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else yield new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

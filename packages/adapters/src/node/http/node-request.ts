import type { IncomingMessage } from 'node:http';
import type { HandlerRequest } from '@subrail/core';
import { UNKNOWN, forwardedAddress, type ClientAddressOptions } from './client-address.js';

/** A request whose body a parser may have read, as of Express and body-parser. */
export type ParsedMessage = IncomingMessage & { readonly body?: unknown };

/**
 * Wraps a Node request for the handler of core, for a server of your own in front of `createRequestHandler`.
 * Headers, body and client address are read lazily. A parsed body is taken from `incoming.body`.
 */
export function toHandlerRequest<Request extends IncomingMessage>(
  incoming: Request,
  options: ClientAddressOptions<Request> = {},
): HandlerRequest {
  const { method = 'GET', url = '' } = incoming;
  return new NodeRequest(incoming, options, method, url);
}

/** Lazy, because most requests need only the path and one header. */
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
    // The socket loses the address when the client disconnects.
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
    // Other versions of HTTP do not announce a body.
    const hasBody =
      this.#incoming.httpVersionMajor !== 1 ||
      isBodySent(this.header('content-length'), this.header('transfer-encoding'));
    return hasBody ? readBody(this.#incoming) : NO_BODY;
  }

  header(name: string): string | null {
    // Requests of HTTP/2, and of test tools without a socket, have only the joined headers.
    if ('headersDistinct' in this.#incoming) return joinedHeader(this.#incoming.rawHeaders, name);
    const value = (this.#incoming as Partial<IncomingMessage>).headers?.[name];
    return (typeof value === 'string' ? value : value?.join(', ')) ?? null;
  }
}

/**
 * The joined values of a header in a list of names and values; null without any. The header objects of Node
 * hold all headers, and a request is asked for few.
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

/** Whether these headers announce a body (RFC 9112). */
function isBodySent(length: string | null, encoding: string | null): boolean {
  return encoding !== null || (length ?? '0') !== '0';
}

const NO_BODY: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Whether the body was read and is not in `incoming.body`. */
export function isBodyLost(incoming: ParsedMessage): boolean {
  const { 'content-length': length = null, 'transfer-encoding': encoding = null } = incoming.headers;
  return isBodySent(length, encoding) && incoming.readableDidRead && incoming.body === undefined;
}

/** A target that a URL would not change: no dots in the path, nothing encoded. */
const PLAIN_TARGET = /^(\/[\w/-]*)(\?[\w.~!$&()*+,;=:@%/?-]+)?$/;

/**
 * The path and query of a request target, which may be an absolute URL (RFC 9112). Its host is ignored:
 * routing is by path, and clients write any host.
 */
function parseTarget(target: string): Pick<URL, 'pathname' | 'search'> {
  const [plain, pathname = '', search = ''] = PLAIN_TARGET.exec(target) ?? [];
  if (plain !== undefined) return { pathname, search };
  if (target.startsWith('/')) return new URL(`http://localhost${target}`);
  if (/^https?:/i.test(target) && URL.canParse(target)) return new URL(target);
  return { pathname: target, search: '' };
}

/**
 * Reads the body only as fast as the caller asks, who can stop at a limit. The socket stays open for the
 * answer.
 */
async function* readBody(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    incoming.resume();
  }
}

/** A parsed body as bytes: bytes and text as they are, anything else as JSON. */
async function* parsedBody(body: unknown): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else yield new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

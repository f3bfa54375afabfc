import type { HandlerRequest, RequestHandler } from './handler-request.js';

/** The service as a function from a fetch Request to a Response. An open one never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Returns the client's address of a request; null when it is unknown. */
export type ClientAddress = (request: Request) => string | null;

/** All requests whose client is unknown are counted against this one address. */
const UNKNOWN = 'unknown';

/**
 * Serves a handler of plain values to anything that speaks fetch, such as one that answers more paths than
 * that of the service. `clientAddress` is that of `createHandler`.
 *
 * @example
 * const handle = createRequestHandler(billing);
 * const handler = createFetchHandler(async (request) =>
 *   request.path === '/ping' ? { status: 200, headers: {}, body: 'pong' } : handle(request),
 * );
 */
export function createFetchHandler(
  handle: (request: FetchRequest) => ReturnType<RequestHandler>,
  clientAddress: ClientAddress = () => null,
): FetchHandler {
  return async (request) => {
    const { status, headers, body } = await handle(new FetchRequest(request, clientAddress));
    const sent = typeof body === 'string' ? body : streamOf(body);
    return new Response(sent === '' ? null : sent, { status, headers });
  };
}

/** A fetch Request in plain values. Headers, body and the client's address are read lazily. */
export class FetchRequest implements HandlerRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;

  constructor(
    readonly request: Request,
    private readonly clientAddress: ClientAddress,
  ) {
    const { pathname, search } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.search = search;
  }

  get ip(): string {
    return this.clientAddress(this.request) ?? UNKNOWN;
  }

  get body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.request);
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }
}

/** Parts of a text as a stream of bytes. The next part is asked for when the one before was taken. */
function streamOf(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  // The types of some platforms do not say what a body is a stream of.
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
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

import type { Service } from '../service.js';
import { createRouter, type HandlerOptions } from './router.js';
import type { HandlerRequest } from './handler-request.js';
import type { Route } from './route.js';

export type { HandlerOptions } from './router.js';

/** Who sent a request, as the host knows it. */
export interface Client {
  /** The address calls without a valid key are counted against (requests#client-address-behind-proxies). */
  readonly ip: string;
}

export type Handler = (request: Request, client?: Client) => Promise<Response>;

/** Serves a table of routes to anything that speaks fetch. Never rejects. */
export function mountFetch(service: Service, routes: readonly Route[], options?: HandlerOptions): Handler {
  const answer = createRouter(service, routes, options);
  return async (request, client) => {
    const { status, headers, body } = await answer(new FetchRequest(request, client));
    return new Response(body === '' ? null : body, { status, headers });
  };
}

/** What may never be asked for, such as the body, is not touched before it is. */
class FetchRequest implements HandlerRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly ip: string;

  constructor(
    private readonly request: Request,
    client: Client | undefined,
  ) {
    const { pathname, search } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.search = search;
    this.ip = client?.ip ?? 'unknown';
  }

  get body(): AsyncIterable<Uint8Array> {
    return piecesOf(this.request);
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }
}

async function* piecesOf(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Nobody waits for the sender to take note.
    reader.cancel().catch(() => undefined);
  }
}

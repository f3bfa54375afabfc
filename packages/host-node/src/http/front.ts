/** Answers one request of a client whose address is known. */
export type Handler = (request: Request, client: { readonly ip: string }) => Promise<Response>;

export interface FrontOptions {
  /** Empty, or a path without a slash at its end; what lies outside it does not exist. */
  readonly basePath: string;
  readonly health: () => Promise<Response>;
  /** Serves everything else, with the base path taken off. */
  readonly handler: Handler;
}

/** The host's front door: `/health` beside the contract's `/v1`, both under the base path. */
export function createFront({ basePath, health, handler }: FrontOptions): Handler {
  return async (request, client) => {
    const url = new URL(request.url);
    if (!`${url.pathname}/`.startsWith(`${basePath}/`)) return new Response(null, { status: 404 });
    const path = url.pathname.slice(basePath.length);
    if (path === '/health') {
      if (request.method === 'GET') return health();
      if (request.method === 'HEAD') return new Response(null, await health());
    }
    return handler(basePath === '' ? request : moved(request, `${path}${url.search}`), client);
  };
}

function moved(request: Request, target: string): Request {
  return new Request(new URL(target, request.url), request);
}

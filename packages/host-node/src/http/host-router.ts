import type { OpenApiDocument, RequestHandler, HandlerResponse } from '@subrail/core';

/** What the host's router serves. */
export interface HostRouterOptions {
  /** The path under which every route is served: empty, or it starts with a slash and does not end with one. */
  readonly basePath: string;
  /** Answers `/health`. */
  readonly health: () => Promise<HandlerResponse>;
  /** Served at `/openapi.json`, without a key. */
  readonly document: OpenApiDocument;
  /** Answers every other request. It knows the base path itself. */
  readonly handler: RequestHandler;
}

/** Routes `/health` and `/openapi.json`, which belong to the host, and passes all other requests to the service. */
export function createHostRouter({ basePath, health, document, handler }: HostRouterOptions): RequestHandler {
  const openApi: HandlerResponse = {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(document),
  };
  const hostRoutes = new Map([
    [`${basePath}/health`, health],
    [`${basePath}/openapi.json`, async () => openApi],
  ]);
  return async (request) => {
    const route = hostRoutes.get(request.path);
    if (route !== undefined) {
      if (request.method === 'GET') return route();
      if (request.method === 'HEAD') return { ...(await route()), body: '' };
    }
    return handler(request);
  };
}

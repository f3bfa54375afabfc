import type { OpenApiDocument, RequestHandler, HandlerResponse } from '@subrail/core';

export interface HostRouterOptions {
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;
  readonly health: () => Promise<HandlerResponse>;
  /** The contract as machines read it; it needs no key. */
  readonly document: OpenApiDocument;
  /** Serves everything else; it knows the base path itself. */
  readonly handler: RequestHandler;
}

/** The host's front door: `/health` and `/openapi.json` beside the contract's `/v1`, all under the base path. */
export function createHostRouter({ basePath, health, document, handler }: HostRouterOptions): RequestHandler {
  const described: HandlerResponse = {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(document),
  };
  const beside = new Map([
    [`${basePath}/health`, health],
    [`${basePath}/openapi.json`, async () => described],
  ]);
  return async (request) => {
    const answer = beside.get(request.path);
    if (answer !== undefined) {
      if (request.method === 'GET') return answer();
      if (request.method === 'HEAD') return { ...(await answer()), body: '' };
    }
    return handler(request);
  };
}

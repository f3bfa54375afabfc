import type { Handler, OpenApiDocument } from '@subrail/core';

export interface FrontOptions {
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;
  readonly health: () => Promise<Response>;
  /** The contract as machines read it; it needs no key. */
  readonly document: OpenApiDocument;
  /** Serves everything else; it knows the base path itself. */
  readonly handler: Handler;
}

/** The host's front door: `/health` and `/openapi.json` beside the contract's `/v1`, all under the base path. */
export function createFront({ basePath, health, document, handler }: FrontOptions): Handler {
  const beside = new Map([
    [`${basePath}/health`, health],
    [`${basePath}/openapi.json`, async () => Response.json(document)],
  ]);
  return async (request, client) => {
    const answer = beside.get(new URL(request.url).pathname);
    if (answer !== undefined) {
      if (request.method === 'GET') return answer();
      if (request.method === 'HEAD') return new Response(null, await answer());
    }
    return handler(request, client);
  };
}

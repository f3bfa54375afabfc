import type { OpenApiDocument, PlainHandler, PlainResponse } from '@subrail/core';

export interface FrontOptions {
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;
  readonly health: () => Promise<PlainResponse>;
  /** The contract as machines read it; it needs no key. */
  readonly document: OpenApiDocument;
  /** Serves everything else; it knows the base path itself. */
  readonly handler: PlainHandler;
}

/** The host's front door: `/health` and `/openapi.json` beside the contract's `/v1`, all under the base path. */
export function createFront({ basePath, health, document, handler }: FrontOptions): PlainHandler {
  const described: PlainResponse = {
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

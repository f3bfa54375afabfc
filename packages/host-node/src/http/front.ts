import type { Handler } from '@subrail/core';

export interface FrontOptions {
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;
  readonly health: () => Promise<Response>;
  /** Serves everything else; it knows the base path itself. */
  readonly handler: Handler;
}

/** The host's front door: `/health` beside the contract's `/v1`, both under the base path. */
export function createFront({ basePath, health, handler }: FrontOptions): Handler {
  return async (request, client) => {
    if (new URL(request.url).pathname === `${basePath}/health`) {
      if (request.method === 'GET') return health();
      if (request.method === 'HEAD') return new Response(null, await health());
    }
    return handler(request, client);
  };
}

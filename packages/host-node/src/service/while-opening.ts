import type { Refuse, RequestHandler } from '@subrail/core';
import { VERSION } from '../version.js';

/** The time a request waits for the service, which usually opens sooner. */
const WAIT_MS = 5_000;

/**
 * Serves requests while a service opens, which takes minutes where an index is built. A request waits for
 * some seconds and is then refused as unavailable. `/health/live` answers from the beginning, so a supervisor
 * does not end the process.
 *
 * @param opening resolves with the handler of the open service, and never rejects
 */
export function whileOpening(
  opening: Promise<RequestHandler>,
  refuse: Refuse,
  basePath: string,
): RequestHandler {
  let opened: RequestHandler | null = null;
  void opening.then((handle) => (opened = handle));
  return async (request) => {
    if (opened !== null) return opened(request);
    if (request.path === `${basePath}/health/live`) return live();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, WAIT_MS, null)));
    const handle = await Promise.race([opening, late]);
    clearTimeout(timer);
    return handle === null ? refuse(request, 'unavailable') : handle(request);
  };
}

function live() {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({ status: 'ok', version: VERSION }),
  };
}

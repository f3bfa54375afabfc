import type { FetchHandler } from './fetch-handler.js';

/** A service that is open, or the function that opens it, such as one of `openBillingOnce`. */
export type Openable<Opened> = Opened | (() => Promise<Opened>);

/**
 * Serves a service that the first request opens, so that a module that makes a handler opens nothing when it
 * is loaded, such as by a build. The handler rejects with the error of an opening that failed, and the next
 * request opens again. An open service is served at once.
 *
 * @example
 * const open = async () => billing;
 * const handler = atFirstRequest(open, (opened) => createHandler(opened, { basePath: '/billing' }));
 */
export function atFirstRequest<Opened>(
  given: Openable<Opened>,
  serve: (opened: Opened) => FetchHandler,
): FetchHandler {
  if (!isOpener(given)) return serve(given);
  let served: { readonly opened: Opened; readonly handler: FetchHandler } | null = null;
  return async (request) => {
    const opened = await given();
    // Another service than before has been opened since that one was closed.
    if (served?.opened !== opened) served = { opened, handler: serve(opened) };
    return served.handler(request);
  };
}

function isOpener<Opened>(given: Openable<Opened>): given is () => Promise<Opened> {
  return typeof given === 'function';
}

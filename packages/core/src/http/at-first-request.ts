import { serviceErrorOf } from '../operations/run-operation.js';
import type { Service } from '../service.js';
import { createFetchHandler, type FetchHandler } from './fetch-handler.js';
import { ResponseBuilder } from './response-builder.js';

/** A function that opens a service, such as one of `openBillingOnce`. */
export interface Opener<Opened> {
  (): Promise<Opened>;
  /**
   * The ports for an opening that failed: the request is answered as `unavailable` when the error is
   * `Unavailable`, and otherwise as `internal_error`. The log says why, once for each error. Without them the
   * handler rejects with the error.
   */
  readonly failurePorts?: Pick<Service, 'logger' | 'random'>;
}

/** A service that is open, or the function that opens it. */
export type Openable<Opened> = Opened | Opener<Opened>;

/**
 * Serves a service that the first request opens, so that a module that makes a handler opens nothing when it
 * is loaded, such as by a build. After an opening that failed the next request opens again. An open service
 * is served at once.
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
  let told: unknown = null;
  // Requests that share a failed opening share its error, and the log has it once.
  const tell = (error: unknown, requestId: string) => {
    if (error === told) return;
    told = error;
    const reason = error instanceof Error ? error.message : String(error);
    given.failurePorts?.logger.error(
      { request_id: requestId, err: error },
      `The service could not be opened. ${reason}`,
    );
  };
  let served: { readonly opened: Opened; readonly handler: FetchHandler } | null = null;
  return async (request) => {
    const opening = await given().then(
      (opened) => ({ opened }),
      (error: unknown) => ({ error }),
    );
    if ('error' in opening) return answerFailure(given, opening.error, tell, request);
    const { opened } = opening;
    // Another service than before has been opened since that one was closed.
    if (served?.opened !== opened) served = { opened, handler: serve(opened) };
    return served.handler(request);
  };
}

/** Answers a request whose opening failed. Throws the error without ports. */
async function answerFailure(
  { failurePorts }: Opener<unknown>,
  error: unknown,
  tell: (error: unknown, requestId: string) => void,
  request: Request,
): Promise<Response> {
  if (failurePorts === undefined) throw error;
  const answer = createFetchHandler(async (sent) => {
    // The base path is that of a handler that is not made yet.
    const path = sent.path.replace(/^.*(?=\/v1(?:\/|$))/, '');
    const response = new ResponseBuilder(sent, path, failurePorts.random);
    tell(error, response.requestId);
    return response.refuse(serviceErrorOf(error));
  });
  return answer(request);
}

function isOpener<Opened>(given: Openable<Opened>): given is Opener<Opened> {
  return typeof given === 'function';
}

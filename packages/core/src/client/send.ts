import { VERSION } from '../contract/version.js';
import { ConnectionError } from './errors.js';
import type { CallOptions, ClientOptions } from './options.js';
import { isObject, readAnswer, type ReceivedAnswer } from './read-answer.js';
import { sleepByTimer, withRetries } from './retries.js';
import type { Route } from './route.js';
import { withTimeLimit } from './time-limit.js';

/** How long one try may take. */
const CALL_MS = 30_000;
/** How long one try may take that waits up to 90 seconds for the chain. The other ten are for the network. */
const WAIT_MS = 100_000;

/** A call before it is sent. Every try sends the same values. */
interface Outgoing {
  readonly route: Route;
  /** The path with its parameter, from `/v1` on. */
  readonly path: string;
  /** The query of a GET, the body of a POST; undefined for none. */
  readonly input: object | undefined;
}

/** Sends a call, repeats it as far as the options allow, and returns the object that the service answered. */
export type Send = (outgoing: Outgoing, options: CallOptions) => Promise<object>;

/** Makes the function that sends calls. Throws a TypeError for an option that no call could be made with. */
export function createSend(options: ClientOptions): Send {
  const baseUrl = requireUrl(options.url);
  const headers = headersOf(options.key);
  const fetchAnswer = options.fetch ?? ((request: Request) => fetch(request));
  const retrySettings = {
    maxRetries: requireWhole('maxRetries', options.maxRetries ?? 4, 0, 100),
    maxRetryAfter: requireWhole('maxRetryAfter', options.maxRetryAfter ?? 60, 0, 86_400),
    sleep: options.sleep ?? sleepByTimer,
  };

  async function receive(
    request: Request,
    call: string,
    inParts: boolean,
  ): Promise<ReceivedAnswer | AsyncIterable<string>> {
    try {
      const answer = await fetchAnswer(request);
      // Another answer, such as one of a proxy, is read as a refusal.
      if (inParts && answer.ok && answer.headers.has('service-request-id')) return partsOf(answer, call);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } catch (cause) {
      throw new ConnectionError(call, null, cause);
    }
  }

  return async (
    { route, path, input },
    { signal, timeoutMs = route.waits ? WAIT_MS : CALL_MS, maxRetries },
  ) => {
    const { method } = route;
    const call = `${method} ${route.path}`;
    const url = `${baseUrl}${path}${method === 'GET' ? queryOf(input) : ''}`;
    const body = method === 'GET' || input === undefined ? null : JSON.stringify(input);
    const sent = body === null ? headers : { ...headers, 'content-type': 'application/json' };
    const limit = {
      ms: requireWhole('timeoutMs', timeoutMs, 1, 3_600_000),
      error: () => new ConnectionError(call, timeoutMs),
      signal,
    };
    const settings = {
      ...retrySettings,
      maxRetries: requireWhole('maxRetries', maxRetries ?? retrySettings.maxRetries, 0, 100),
    };
    return withRetries(settings, signal, () =>
      withTimeLimit(limit, async (signal) => {
        // A redirect would turn a POST into a GET, so it is not followed: its answer is unreadable.
        const request = new Request(url, { method, body, headers: sent, signal, redirect: 'manual' });
        const received = await receive(request, call, route.answer === 'text');
        return 'status' in received
          ? readAnswer(call, received, route.answer === 'list' ? Array.isArray : isObject)
          : received;
      }),
    );
  };
}

/** The text of an answer as it arrives. Throws a `ConnectionError` when it ends before all of it arrived. */
async function* partsOf({ body }: Response, call: string): AsyncGenerator<string, void, void> {
  if (body === null) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ConnectionError(call, null, cause);
      });
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Who stops reading does not wait until the service has stopped.
    reader.cancel().catch(() => undefined);
  }
}

/** The query of an input. A field that is undefined or null is absent. */
function queryOf(input: object | undefined): string {
  const query = new URLSearchParams();
  const fields = Object.entries(input ?? {}) as [string, string | number | boolean | null | undefined][];
  for (const [name, value] of fields) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function requireUrl(url: string): string {
  const base = url.replace(/\/+$/, '');
  if (!isCallable(`${base}/v1/project`))
    throw new TypeError(
      'url must be the URL of the service without a user name and a password, such as https://billing.example.com.',
    );
  if (/[?#]|\/v1$/.test(base))
    throw new TypeError(
      'url must end before /v1, without a query: the client adds the rest of the path of each route.',
    );
  return base;
}

/**
 * Whether a request can be made to a URL. The platform itself is asked: a path without a host, such as
 * `/billing`, is a URL in a browser and none in Node.
 */
function isCallable(url: string): boolean {
  try {
    return new Request(url).url !== '';
  } catch {
    // The platform's error is dropped, because it names the whole URL, with the password that may be in it.
    return false;
  }
}

function headersOf(key: string | undefined): Readonly<Record<string, string>> {
  const headers = { 'service-version': VERSION };
  if (key === undefined) return headers;
  // The platform would put the key into the message of its own error, and that into a log.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError(
      'key must be an API key of the project, SUB_ and 43 characters, or a management key, SUBM_ and 43 characters, without white space or a line break around it.',
    );
  return { ...headers, authorization: `Bearer ${key}` };
}

function requireWhole(name: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new TypeError(`${name} must be a whole number from ${min} to ${max}; it is ${value}.`);
  return value;
}

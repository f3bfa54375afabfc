import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HttpOutcome, HttpPost } from '@subrail/core/ports';
import { RefusedTarget } from './checked-lookup.js';
import { retryAfterSeconds } from '../retry-after.js';

const EXCERPT_CHARACTERS = 1_024;
/** The most bytes that an excerpt takes in UTF-8. */
const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS;

/** Sends one request on a new connection, and closes the connection before it resolves. Never rejects. */
export function sendRequest(url: URL, post: HttpPost, lookup: LookupFunction): Promise<HttpOutcome> {
  return new Promise((resolve) => {
    const request = open(url, post, lookup);
    if (request instanceof Error) {
      resolve({ kind: 'failed', reason: reasonOf(request) });
      return;
    }
    let started: StartedResponse | null = null;
    const settle = (outcome: HttpOutcome) => {
      clearTimeout(deadline);
      resolve(outcome);
      request.destroy();
    };
    const deadline = setTimeout(() => {
      settle(started === null ? { kind: 'timed_out' } : outcomeOf(started));
    }, post.timeoutMs);

    request.on('response', (response) => {
      const current: StartedResponse = { response, start: Buffer.alloc(0) };
      started = current;
      response.on('data', (chunk: Buffer) => {
        const room = EXCERPT_BYTES - current.start.length;
        current.start = Buffer.concat([current.start, chunk.subarray(0, room)]);
        if (chunk.length >= room) settle(outcomeOf(current));
      });
      // A response whose body breaks off still counts by its status. The request may close before the response does.
      for (const event of ['end', 'error', 'close']) response.on(event, () => settle(outcomeOf(current)));
    });
    request.on('error', (error) => {
      const reason = reasonOf(error);
      settle(error instanceof RefusedTarget ? { kind: 'refused', reason } : { kind: 'failed', reason });
    });
    request.on('close', () => {
      const reason = 'the endpoint closed the connection without a response';
      settle(started === null ? { kind: 'failed', reason } : outcomeOf(started));
    });
    request.end(post.body);
  });
}

/** A response that has begun, and the first bytes of its body. */
interface StartedResponse {
  readonly response: IncomingMessage;
  start: Buffer;
}

function open(url: URL, { headers }: HttpPost, lookup: LookupFunction) {
  const request = url.protocol === 'https:' ? requestTls : requestPlain;
  try {
    // Without an agent each connection serves one request, so none stays open for a later one.
    return request(url, { method: 'POST', headers, lookup, agent: false });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function outcomeOf({ response, start }: StartedResponse): HttpOutcome {
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    retryAfter: retryAfterSeconds(response.headers['retry-after'], new Date()),
    // A character of two code units that the cut would split is left out.
    excerpt: new TextDecoder()
      .decode(start)
      .slice(0, EXCERPT_CHARACTERS)
      .replace(/[\uD800-\uDBFF]$/, ''),
  };
}

function reasonOf(error: Error & { code?: string }): string {
  // An error that joins the failures of several addresses has a code but no message.
  return error.message === '' ? (error.code ?? error.name) : error.message;
}

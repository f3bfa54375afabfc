import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HttpOutcome, HttpPost } from '@subrail/core/ports';
import { RefusedTarget } from './checked-lookup.js';
import { retryAfterSeconds } from './retry-after.js';

const EXCERPT_CHARACTERS = 1_024;
/** Enough for that many characters of UTF-8. */
const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS;

/** One request on a connection of its own, which is gone when it resolves. Never rejects. */
export function exchange(url: URL, post: HttpPost, lookup: LookupFunction): Promise<HttpOutcome> {
  return new Promise((resolve) => {
    const request = open(url, post, lookup);
    if (request instanceof Error) {
      resolve({ kind: 'failed', reason: inWords(request) });
      return;
    }
    let answer: Answer | null = null;
    const settle = (outcome: HttpOutcome) => {
      clearTimeout(deadline);
      resolve(outcome);
      request.destroy();
    };
    const deadline = setTimeout(() => {
      settle(answer === null ? { kind: 'timed_out' } : answered(answer));
    }, post.timeoutMs);

    request.on('response', (response) => {
      const started: Answer = { response, start: Buffer.alloc(0) };
      answer = started;
      response.on('data', (chunk: Buffer) => {
        const room = EXCERPT_BYTES - started.start.length;
        started.start = Buffer.concat([started.start, chunk.subarray(0, room)]);
        if (chunk.length >= room) settle(answered(started));
      });
      // An answer whose body breaks off has still been given: its status counts.
      for (const event of ['end', 'error', 'close']) response.on(event, () => settle(answered(started)));
    });
    request.on('error', (error) => {
      const reason = inWords(error);
      settle(error instanceof RefusedTarget ? { kind: 'refused', reason } : { kind: 'failed', reason });
    });
    request.on('close', () => {
      settle({ kind: 'failed', reason: 'the connection was closed without an answer' });
    });
    request.end(post.body);
  });
}

interface Answer {
  readonly response: IncomingMessage;
  start: Buffer;
}

function open(url: URL, { headers }: HttpPost, lookup: LookupFunction) {
  const request = url.protocol === 'https:' ? requestTls : requestPlain;
  try {
    // Without an agent each connection serves one request: none is left open for a later one to inherit.
    return request(url, { method: 'POST', headers, lookup, agent: false });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function answered({ response, start }: Answer): HttpOutcome {
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    retryAfter: retryAfterSeconds(response.headers['retry-after'], new Date()),
    // A character of two code units that the cut would part is left out whole.
    excerpt: new TextDecoder()
      .decode(start)
      .slice(0, EXCERPT_CHARACTERS)
      .replace(/[\uD800-\uDBFF]$/, ''),
  };
}

function inWords(error: Error & { code?: string }): string {
  // A failure on several addresses at once has a code and no message of its own.
  return error.message === '' ? (error.code ?? error.name) : error.message;
}

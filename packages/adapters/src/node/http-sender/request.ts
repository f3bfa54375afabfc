import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HttpOutcome, HttpPost } from '@subrail/core/ports';
import { EXCERPT_BYTES, excerptOf } from '../../excerpt.js';
import { reasonOf } from '../../reason-of.js';
import { retryAfterSeconds } from '../../retry-after.js';
import { RefusedTarget } from './checked-lookup.js';
import type { Agents, Connections } from './connections.js';
import { decompressed } from './decompressed.js';

/**
 * Sends a request, on an open connection if there is one, and never rejects. A server may close an idle
 * connection just as it is used again. So a reused connection that breaks before any byte of an answer says
 * nothing about the endpoint: the request is sent again on a new one, within the same deadline.
 */
export async function sendRequest(
  url: URL,
  post: HttpPost,
  connections: Connections,
  lookup: LookupFunction,
): Promise<HttpOutcome> {
  const deadline: Deadline = { passed: () => undefined };
  const timer = setTimeout(() => deadline.passed(), post.timeoutMs);
  try {
    const first = await exchange(open(url, post, connections.kept, lookup), post.body, deadline);
    if (first !== 'stale') return first;
    const second = await exchange(open(url, post, connections.fresh, lookup), post.body, deadline);
    return second === 'stale' ? { kind: 'failed', reason: NO_ANSWER } : second;
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

const NO_ANSWER = 'the endpoint closed the connection without a response';

/** The deadline of a request. `passed` is called at its end. */
interface Deadline {
  passed: () => void;
}

function open(
  url: URL,
  { headers }: HttpPost,
  { plain, tls }: Agents,
  lookup: LookupFunction,
): ClientRequest {
  const options = { method: 'POST', headers, lookup };
  return url.protocol === 'https:'
    ? requestTls(url, { ...options, agent: tls })
    : requestPlain(url, { ...options, agent: plain });
}

/** `stale`: a reused connection broke before any byte of an answer. */
type Ended = HttpOutcome | 'stale';

function exchange(request: ClientRequest, body: string, deadline: Deadline): Promise<Ended> {
  return new Promise((resolve) => {
    let answer: Answer | null = null;
    let bytesBefore = 0;
    let hasEnded = false;
    const stop = (ended: Ended | Promise<HttpOutcome>) => {
      if (hasEnded) return;
      hasEnded = true;
      resolve(ended);
      request.destroy();
    };
    const fail = (outcome: HttpOutcome) => {
      if (hasEnded) return;
      const isStale = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      stop(answer !== null ? outcomeOf(answer) : isStale ? 'stale' : outcome);
    };
    deadline.passed = () => stop(answer === null ? { kind: 'timed_out' } : outcomeOf(answer));

    request.once('socket', (socket) => {
      bytesBefore = socket.bytesRead;
    });
    request.on('response', (response) => {
      const current: Answer = { response, start: [], length: 0 };
      answer = current;
      response.on('data', (chunk: Buffer) => {
        current.start.push(chunk);
        current.length += chunk.length;
        if (current.length > EXCERPT_BYTES) stop(outcomeOf(current));
      });
      // Not destroyed: the agent keeps the connection of a complete answer.
      response.on('end', () => {
        hasEnded = true;
        resolve(outcomeOf(current));
      });
      // An answer counts by its status even when its body breaks off.
      for (const event of ['error', 'close']) response.on(event, () => stop(outcomeOf(current)));
    });
    request.on('error', (error) => {
      const reason = reasonOf(error);
      fail(error instanceof RefusedTarget ? { kind: 'refused', reason } : { kind: 'failed', reason });
    });
    request.on('close', () => fail({ kind: 'failed', reason: NO_ANSWER }));
    request.end(body);
  });
}

interface Answer {
  readonly response: IncomingMessage;
  readonly start: Buffer[];
  length: number;
}

async function outcomeOf({ response: { statusCode, headers }, start }: Answer): Promise<HttpOutcome> {
  const bytes = Buffer.concat(start).subarray(0, EXCERPT_BYTES);
  const encoding = headers['content-encoding'] ?? 'identity';
  const body = await decompressed(bytes, encoding);
  return {
    kind: 'answered',
    status: statusCode ?? 0,
    retryAfter: retryAfterSeconds(headers['retry-after'], new Date()),
    location: headers.location ?? null,
    excerpt:
      body === null
        ? `An answer that is compressed, and not read: ${encoding.slice(0, 100)}`
        : excerptOf(body, headers['content-type']),
  };
}

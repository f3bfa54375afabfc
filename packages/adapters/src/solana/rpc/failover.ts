import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { Answer, ChainUnavailable, Clock } from '@subrail/core/ports';
import { MalformedResponse, StaleResponse } from './response-fields.js';
import { withDeadline } from './deadline.js';
import { failureOf } from './failure.js';
import type { Endpoint } from './sources.js';

/** How long the chain may take, in milliseconds. */
export interface Timeouts {
  /** For one endpoint's answer. */
  readonly answerMs: number;
  /** For the question as a whole, over every endpoint and wait. */
  readonly totalMs: number;
}

/** One question to the chain. */
export interface Question<T> {
  put(rpc: Rpc<SolanaRpcApi>, signal: AbortSignal): Promise<unknown>;
  /** Reads the answer; throws MalformedAnswer or LateAnswer when another endpoint should be asked instead. */
  read(answer: unknown): T;
  /** Reads an error that is itself an answer; undefined when it is not. */
  readError?(error: unknown): T | undefined;
}

export type Ask = <T>(question: Question<T>) => Promise<Answer<T>>;

/** Wait before the same endpoint is asked the same thing again. */
const PAUSE_MS = 250;
/** Rest of an endpoint after its second failure in a row; each further one makes it four times as long. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

/**
 * Asks each endpoint in the order given, and one of them a second time, until one answers or the time is over. An
 * endpoint that asked for a rest, or failed again and again, is left alone meanwhile.
 */
export function createFailover(endpoints: readonly Endpoint[], clock: Clock, timeouts: Timeouts): Ask {
  return async (question) => {
    const deadline = clock.now().getTime() + timeouts.totalMs;
    const asked = new Set<Endpoint>();
    let unavailable: ChainUnavailable = { kind: 'transport' };

    for (let tries = 0; tries <= endpoints.length; tries++) {
      const now = clock.now().getTime();
      const { endpoint, from } = nextOf(endpoints, asked, now);
      if (from >= deadline) break;
      if (from > now) await clock.sleep(from - now);
      const started = clock.now().getTime();
      if (started >= deadline) break;
      asked.add(endpoint);
      const limit = Math.min(timeouts.answerMs, deadline - started);

      let answer: unknown;
      try {
        answer = await withDeadline(clock, limit, (signal) => question.put(endpoint.rpc, signal));
      } catch (thrown) {
        const settled = question.readError?.(thrown);
        if (settled !== undefined) return { ok: true, value: settled };
        unavailable = worse(unavailable, failed(endpoint, thrown, started, clock.now()));
        continue;
      }
      try {
        const value = question.read(answer);
        endpoint.failures = 0;
        return { ok: true, value };
      } catch (thrown) {
        if (!(thrown instanceof MalformedResponse || thrown instanceof StaleResponse)) throw thrown;
        unavailable = worse(unavailable, failed(endpoint, thrown, started, clock.now()));
      }
    }
    return { ok: false, unavailable };
  };
}

/** The endpoint to ask next and from when: an open one not asked yet before all others, then whichever opens first. */
function nextOf(
  endpoints: readonly Endpoint[],
  asked: ReadonlySet<Endpoint>,
  now: number,
): { endpoint: Endpoint; from: number } {
  const candidates = endpoints.map((endpoint) => ({
    endpoint,
    from: Math.max(endpoint.closedUntil, asked.has(endpoint) ? now + PAUSE_MS : now),
  }));
  return candidates.reduce((best, other) => (other.from < best.from ? other : best));
}

function failed(endpoint: Endpoint, thrown: unknown, started: number, now: Date): ChainUnavailable {
  const failure = failureOf(thrown, now);
  if (failure.askAgainAt !== null) {
    endpoint.closedUntil = Math.max(endpoint.closedUntil, failure.askAgainAt);
  } else if (failure.broken && started >= endpoint.closedUntil) {
    // Requests that were already under way when it was closed say nothing new about it.
    endpoint.failures += 1;
    if (endpoint.failures > 1) {
      const rest = Math.min(FIRST_REST_MS * 4 ** (endpoint.failures - 2), LONGEST_REST_MS);
      endpoint.closedUntil = now.getTime() + rest;
    }
  }
  return failure.unavailable;
}

/** An error with a number says more than silence does. */
function worse(one: ChainUnavailable, other: ChainUnavailable): ChainUnavailable {
  return other.kind === 'rpc' ? other : one;
}

import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { ChainResult, ChainUnavailable, Clock } from '@subrail/core/ports';
import { MalformedResponse, StaleResponse } from './response-fields.js';
import { withDeadline } from './deadline.js';
import { classifyFailure } from './failure.js';
import type { Endpoint } from './sources.js';

/** How long a call to the chain may take, in milliseconds. */
export interface Timeouts {
  /** The limit for one endpoint to respond. */
  readonly answerMs: number;
  /** The limit for the whole call, over all endpoints and pauses. */
  readonly totalMs: number;
}

/** One call to the chain, which any endpoint can serve. */
export interface RpcCall<T> {
  /** Sends the request to one endpoint. */
  send(rpc: Rpc<SolanaRpcApi>, signal: AbortSignal): Promise<unknown>;
  /** Reads the response. Throws MalformedResponse or StaleResponse when another endpoint must be tried. */
  read(response: unknown): T;
  /** Reads an error that is a valid result; undefined for any other error. */
  readError?(error: unknown): T | undefined;
}

/** Makes a call, on as many endpoints as it takes. Returns why the chain is unavailable when none gave a result. */
export type CallRpc = <T>(call: RpcCall<T>) => Promise<ChainResult<T>>;

/** The pause before an endpoint is tried a second time for one call. */
const RETRY_PAUSE_MS = 250;
/** The backoff of an endpoint after its second failure in a row. Each further failure makes it four times as long. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;

/**
 * Creates calls with failover. A call tries each endpoint in the order given, and one of them a second time, until one
 * gives a result or the time is over. It leaves out an endpoint that asked for a delay (`Retry-After`) or that is in
 * backoff after repeated failures.
 */
export function createFailover(endpoints: readonly Endpoint[], clock: Clock, timeouts: Timeouts): CallRpc {
  return async (call) => {
    const deadline = clock.now().getTime() + timeouts.totalMs;
    const tried = new Set<Endpoint>();
    let unavailable: ChainUnavailable = { kind: 'transport' };

    for (let attempt = 0; attempt <= endpoints.length; attempt++) {
      const now = clock.now().getTime();
      const { endpoint, from } = nextEndpoint(endpoints, tried, now);
      if (from >= deadline) break;
      if (from > now) await clock.sleep(from - now);
      const started = clock.now().getTime();
      if (started >= deadline) break;
      tried.add(endpoint);
      const limit = Math.min(timeouts.answerMs, deadline - started);

      let response: unknown;
      try {
        response = await withDeadline(clock, limit, (signal) => call.send(endpoint.rpc, signal));
      } catch (thrown) {
        const result = call.readError?.(thrown);
        if (result !== undefined) return { ok: true, value: result };
        unavailable = moreSpecific(unavailable, recordFailure(endpoint, thrown, started, clock.now()));
        continue;
      }
      try {
        const value = call.read(response);
        endpoint.failures = 0;
        return { ok: true, value };
      } catch (thrown) {
        if (!(thrown instanceof MalformedResponse || thrown instanceof StaleResponse)) throw thrown;
        unavailable = moreSpecific(unavailable, recordFailure(endpoint, thrown, started, clock.now()));
      }
    }
    return { ok: false, unavailable };
  };
}

/**
 * The endpoint to try next, and from when: an available endpoint not tried yet, else the one that is available first.
 */
function nextEndpoint(
  endpoints: readonly Endpoint[],
  tried: ReadonlySet<Endpoint>,
  now: number,
): { endpoint: Endpoint; from: number } {
  const candidates = endpoints.map((endpoint) => ({
    endpoint,
    from: Math.max(endpoint.closedUntil, tried.has(endpoint) ? now + RETRY_PAUSE_MS : now),
  }));
  return candidates.reduce((best, other) => (other.from < best.from ? other : best));
}

/** Records a failure of an endpoint, and decides until when to leave it out. */
function recordFailure(endpoint: Endpoint, thrown: unknown, started: number, now: Date): ChainUnavailable {
  const failure = classifyFailure(thrown, now);
  if (failure.retryAt !== null) {
    endpoint.closedUntil = Math.max(endpoint.closedUntil, failure.retryAt);
  } else if (failure.broken && started >= endpoint.closedUntil) {
    // A request sent before the backoff began says nothing new about the endpoint.
    endpoint.failures += 1;
    if (endpoint.failures > 1) {
      const backoff = Math.min(FIRST_BACKOFF_MS * 4 ** (endpoint.failures - 2), MAX_BACKOFF_MS);
      endpoint.closedUntil = now.getTime() + backoff;
    }
  }
  return failure.unavailable;
}

/** Prefers an error with a number to no response at all. */
function moreSpecific(one: ChainUnavailable, other: ChainUnavailable): ChainUnavailable {
  return other.kind === 'rpc' ? other : one;
}

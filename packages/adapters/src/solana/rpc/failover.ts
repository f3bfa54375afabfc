import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { ChainResult, ChainUnavailable, Clock } from '@subrail/core/ports';
import { CannotTell, MalformedResponse, StaleResponse } from './response-fields.js';
import { withDeadline } from './deadline.js';
import { type Failure, classifyFailure } from './failure.js';
import type { NodeClocks } from './node-clocks.js';
import type { Endpoint } from './sources.js';

/** Limits of a call to the chain, in milliseconds. */
export interface Timeouts {
  /** The limit for one endpoint to respond. */
  readonly answerMs: number;
  /** The limit for the whole call, over all endpoints and pauses. */
  readonly totalMs: number;
}

/** A call to the chain, which any endpoint can serve. */
export interface RpcCall<T> {
  /** Sends the request to one endpoint. */
  send(rpc: Rpc<SolanaRpcApi>, signal: AbortSignal): Promise<unknown>;
  /**
   * Reads the response. MalformedResponse, StaleResponse and CannotTell make failover try another endpoint.
   */
  read(response: unknown): T;
  /** Reads an error that is a valid result; undefined for any other error. */
  readError?(error: unknown): T | undefined;
  /** Reads the chain's time from a response that has it, by which the clock of the endpoint is judged. */
  readTime?(response: unknown): Date | null;
}

/** Makes a call on as many endpoints as it takes. Returns why the chain is unavailable when none answers. */
export type CallRpc = <T>(call: RpcCall<T>) => Promise<ChainResult<T>>;

/** Calls over several endpoints. */
export interface Failover {
  /**
   * Tries the endpoints in their order until one gives a result or the time is over, without those in
   * backoff, with a delay (`Retry-After`) or with a wrong clock.
   */
  readonly call: CallRpc;
  /**
   * Makes the call on every endpoint at once, and returns the first result. The other calls go on. Only an
   * endpoint whose delay outlasts the call is left out.
   */
  readonly callEvery: CallRpc;
  /** Makes the second endpoint the first, and the first the last. */
  preferNext(): void;
}

/** The dependencies of calls with failover. */
export interface FailoverOptions {
  readonly clock: Clock;
  /** Milliseconds of a clock that is never set, such as `performance.now()`. */
  readonly elapsed: () => number;
  readonly timeouts: Timeouts;
  readonly nodeClocks: NodeClocks;
}

/** The pause before a call tries an endpoint again, doubled with each try. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 1_000;
/** The backoff after the second failed call in a row. Each further failure multiplies it by four. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;

/** The tries of one call on one endpoint. */
interface Tries {
  readonly count: number;
  readonly lastAt: number;
  /** Whether it would be useless to try the endpoint again. */
  readonly over: boolean;
}

/** Creates calls with failover over endpoints, the preferred one first. */
export function createFailover(endpoints: readonly Endpoint[], options: FailoverOptions): Failover {
  const { clock, elapsed, timeouts, nodeClocks } = options;
  let order = endpoints;

  const callOn = async <T>(
    among: readonly Endpoint[],
    call: RpcCall<T>,
    lateUntil: NodeClocks['lateUntil'],
  ): Promise<ChainResult<T>> => {
    const deadline = elapsed() + timeouts.totalMs;
    const tries = new Map<Endpoint, Tries>();
    let unavailable: ChainUnavailable = { kind: 'transport' };
    const fail = (endpoint: Endpoint, thrown: unknown, started: number) => {
      const failure = classifyFailure(thrown, clock.now());
      endpoint.counted.failures += 1;
      const count = (tries.get(endpoint)?.count ?? 0) + 1;
      // However often a call tries an endpoint, one failure counts: later calls must not be shut out.
      recordFailure(endpoint, { ...failure, broken: failure.broken && count === 1 }, started, elapsed());
      unavailable = moreSpecific(unavailable, failure.unavailable);
      tries.set(endpoint, { count, lastAt: elapsed(), over: count >= failure.mostTries });
    };

    for (;;) {
      const now = elapsed();
      const next = nextEndpoint(among, tries, now, lateUntil);
      if (next === null || next.from >= deadline) break;
      const { endpoint, from } = next;
      if (from > now) await clock.sleep(from - now);
      const started = elapsed();
      if (started >= deadline) break;
      const limit = Math.min(timeouts.answerMs, deadline - started);

      endpoint.counted.calls += 1;
      let response: unknown;
      try {
        response = await withDeadline(clock, limit, (signal) => call.send(endpoint.rpc, signal));
      } catch (thrown) {
        const result = call.readError?.(thrown);
        if (result !== undefined) return { ok: true, value: result };
        fail(endpoint, thrown, started);
        continue;
      }
      try {
        const time = call.readTime?.(response) ?? null;
        if (time !== null && !nodeClocks.accepts(endpoint, time)) continue;
        const value = call.read(response);
        endpoint.failures = 0;
        return { ok: true, value };
      } catch (thrown) {
        if (!isUnusable(thrown)) throw thrown;
        fail(endpoint, thrown, started);
      }
    }
    return { ok: false, unavailable };
  };

  return {
    call: (call) => callOn(order, call, nodeClocks.lateUntil),
    // A wrong clock is no reason to leave out an endpoint whose answer is not compared with any other.
    callEvery: (call) => firstResult(order.map((endpoint) => callOn([endpoint], call, () => -Infinity))),
    preferNext() {
      const [first, ...others] = order;
      if (first !== undefined) order = [...others, first];
    },
  };
}

function isUnusable(thrown: unknown): boolean {
  return (
    thrown instanceof MalformedResponse || thrown instanceof StaleResponse || thrown instanceof CannotTell
  );
}

/**
 * The endpoint that is available first, of several the least tried, and from when; null when none is of use.
 */
function nextEndpoint(
  among: readonly Endpoint[],
  tries: ReadonlyMap<Endpoint, Tries>,
  now: number,
  lateUntil: NodeClocks['lateUntil'],
): { readonly endpoint: Endpoint; readonly from: number } | null {
  let best: { readonly endpoint: Endpoint; readonly from: number; readonly count: number } | null = null;
  for (const endpoint of among) {
    const tried = tries.get(endpoint);
    if (tried?.over === true) continue;
    const pauseEnd = tried === undefined ? now : tried.lastAt + pauseAfter(tried.count);
    const from = Math.max(now, endpoint.closedUntil, lateUntil(endpoint), pauseEnd);
    const count = tried?.count ?? 0;
    if (best === null || from < best.from || (from === best.from && count < best.count))
      best = { endpoint, from, count };
  }
  return best;
}

function pauseAfter(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), MAX_PAUSE_MS);
}

/** Records a failure of an endpoint, and decides until when to leave it out. */
function recordFailure(endpoint: Endpoint, failure: Failure, started: number, now: number): void {
  if (failure.retryAfterMs !== null) {
    endpoint.closedUntil = Math.max(endpoint.closedUntil, now + failure.retryAfterMs);
  } else if (failure.broken && started >= endpoint.closedUntil) {
    // A request sent before the backoff began says nothing new about the endpoint.
    endpoint.failures += 1;
    if (endpoint.failures > 1) {
      const backoff = Math.min(FIRST_BACKOFF_MS * 4 ** (endpoint.failures - 2), MAX_BACKOFF_MS);
      endpoint.closedUntil = now + backoff;
    }
  }
}

/** The first of several calls to give a result, or why none did. */
async function firstResult<T>(calls: readonly Promise<ChainResult<T>>[]): Promise<ChainResult<T>> {
  const unavailable: ChainUnavailable[] = [];
  return new Promise((resolve, reject) => {
    for (const call of calls) {
      call.then((result) => {
        if (result.ok) resolve(result);
        else if (unavailable.push(result.unavailable) === calls.length)
          resolve({ ok: false, unavailable: unavailable.reduce(moreSpecific) });
      }, reject);
    }
  });
}

/** Prefers an error with a number to no response at all. */
function moreSpecific(one: ChainUnavailable, other: ChainUnavailable): ChainUnavailable {
  return other.kind === 'rpc' ? other : one;
}

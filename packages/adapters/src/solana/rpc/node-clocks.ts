import type { Clock, Logger } from '@subrail/core/ports';
import type { Endpoint } from './sources.js';

/** By how much the clock of a node may differ from the host's (billing-periods#node-with-a-wrong-clock). */
const LARGEST_DIFFERENCE_MS = 2 * 60_000;
/** For how long an endpoint with a wrong clock is left out before it is asked again. */
const LEFT_OUT_MS = 30_000;

/** Compares the clocks of the endpoints with the host's, and finds out which of them is wrong. */
export interface NodeClocks {
  /**
   * Compares the chain's time as an endpoint gave it just now. Returns whether to use its responses: the two agree, or
   * every endpoint differs from the host by the same, so that the host's clock is the suspect.
   */
  accepts(endpoint: Endpoint, time: Date): boolean;
  /** Until when to leave an endpoint out because of its clock, in milliseconds of `elapsed`; -Infinity when it is not late. */
  readonly lateUntil: (endpoint: Endpoint) => number;
}

/** What an endpoint's clock showed. */
interface Finding {
  /** How far the endpoint is ahead of the host; negative when it is behind. */
  readonly aheadMs: number;
  readonly until: number;
}

/** What the comparison depends on. */
export interface NodeClocksOptions {
  readonly clock: Clock;
  /** Milliseconds of a clock that is never set, such as `performance.now()`. */
  readonly elapsed: () => number;
  readonly logger: Logger | undefined;
}

/** Creates the comparison for all endpoints. It logs each wrong clock once when it begins, and once when it ends. */
export function createNodeClocks(
  endpoints: readonly Endpoint[],
  { clock, elapsed, logger }: NodeClocksOptions,
): NodeClocks {
  const late = new Map<Endpoint, Finding>();
  const logged = new Set<Endpoint>();
  let hostSuspected = false;

  /** Whether every endpoint was found to differ from the host lately, all by the same. */
  const hostIsSuspect = (): boolean => {
    const now = elapsed();
    const recent = endpoints.map((endpoint) => late.get(endpoint)).filter((one) => one !== undefined);
    const differences = recent.filter(({ until }) => until > now).map(({ aheadMs }) => aheadMs);
    if (differences.length < endpoints.length) return false;
    return Math.max(...differences) - Math.min(...differences) <= LARGEST_DIFFERENCE_MS;
  };

  const logHost = (suspect: boolean, aheadMs: number) => {
    if (suspect === hostSuspected) return;
    hostSuspected = suspect;
    const facts = { host_time: clock.now().toISOString(), ahead_seconds: seconds(aheadMs) };
    if (suspect) {
      logger?.warn(
        facts,
        "Every RPC server's clock differs from this machine's by the same, more than two minutes: check this machine's clock.",
      );
    } else logger?.info(facts, "The RPC servers' clocks no longer all differ from this machine's.");
  };
  const logEndpoint = (endpoint: Endpoint, isLate: boolean, aheadMs: number) => {
    if (isLate === logged.has(endpoint)) return;
    const facts = { rpc: endpoint.name, ahead_seconds: seconds(aheadMs) };
    if (isLate) {
      logged.add(endpoint);
      logger?.warn(
        facts,
        "An RPC server's clock differs from this machine's by more than two minutes. Other RPC servers are asked instead.",
      );
    } else {
      logged.delete(endpoint);
      logger?.info(facts, "The RPC server's clock agrees with this machine's again, so it is asked again.");
    }
  };

  return {
    accepts(endpoint, time) {
      const aheadMs = time.getTime() - clock.now().getTime();
      const isLate = Math.abs(aheadMs) > LARGEST_DIFFERENCE_MS;
      if (isLate) late.set(endpoint, { aheadMs, until: elapsed() + LEFT_OUT_MS });
      // The host's clock was the suspect and is right again, so what it was compared with before says nothing.
      else if (hostSuspected) late.clear();
      else late.delete(endpoint);
      const suspect = hostIsSuspect();
      // While some findings are too old to tell, what was logged of the host stands until a clock agrees with it.
      if (suspect || !isLate) logHost(suspect, aheadMs);
      if (!hostSuspected || !isLate) logEndpoint(endpoint, isLate, aheadMs);
      return suspect || !isLate;
    },
    lateUntil: (endpoint) => (hostIsSuspect() ? -Infinity : (late.get(endpoint)?.until ?? -Infinity)),
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

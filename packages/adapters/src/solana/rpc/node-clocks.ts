import type { Clock } from '@subrail/core/ports';
import type { Endpoint } from './sources.js';

/** The largest difference of a node's clock from the host's (billing-periods#node-with-a-wrong-clock). */
const LARGEST_DIFFERENCE_MS = 2 * 60_000;
/** The milliseconds for which an endpoint with a wrong clock is left out. */
const LEFT_OUT_MS = 30_000;

/** Compares the clocks of the endpoints with the host's, and finds out which of them is wrong. */
export interface NodeClocks {
  /**
   * Compares the chain's time as an endpoint gave it just now. Returns whether to use its responses: the two
   * agree, or every endpoint differs from the host alike, which makes the host the suspect.
   */
  accepts(endpoint: Endpoint, time: Date): boolean;
  /** The end of leaving an endpoint out for its clock, by `elapsed`; -Infinity when it is not late. */
  readonly lateUntil: (endpoint: Endpoint) => number;
  /** The seconds by which an endpoint with a wrong clock is ahead of the host; null while it agrees. */
  aheadSeconds(endpoint: Endpoint): number | null;
  /** The seconds by which all endpoints are ahead of the host when its clock is the suspect; else null. */
  hostClockAheadSeconds(): number | null;
}

/** What an endpoint's clock showed. */
interface Finding {
  /** The lead over the host; negative for an endpoint that is behind. */
  readonly aheadMs: number;
  readonly until: number;
}

/** The clocks of the comparison. */
export interface NodeClocksOptions {
  readonly clock: Clock;
  /** Milliseconds of a clock that is never set, such as `performance.now()`. */
  readonly elapsed: () => number;
}

/** Creates the comparison for all endpoints. */
export function createNodeClocks(
  endpoints: readonly Endpoint[],
  { clock, elapsed }: NodeClocksOptions,
): NodeClocks {
  const late = new Map<Endpoint, Finding>();
  const wrong = new Map<Endpoint, number>();
  let hostAheadSeconds: number | null = null;

  /** Whether every endpoint was found to differ from the host lately, all by the same. */
  const hostIsSuspect = (): boolean => {
    const now = elapsed();
    const recent = endpoints.map((endpoint) => late.get(endpoint)).filter((one) => one !== undefined);
    const differences = recent.filter(({ until }) => until > now).map(({ aheadMs }) => aheadMs);
    if (differences.length < endpoints.length) return false;
    return Math.max(...differences) - Math.min(...differences) <= LARGEST_DIFFERENCE_MS;
  };

  return {
    accepts(endpoint, time) {
      // Compared first: the clock may adopt the time.
      const machineBehindMs = clock.compare?.(time) ?? 0;
      const aheadMs = time.getTime() - clock.now().getTime();
      const isLate = isWrong(aheadMs);
      if (isLate) late.set(endpoint, { aheadMs, until: elapsed() + LEFT_OUT_MS });
      // The host's clock was the suspect and is right again, so earlier comparisons say nothing.
      else if (hostAheadSeconds !== null && !isWrong(machineBehindMs)) late.clear();
      else late.delete(endpoint);
      const suspect = hostIsSuspect();
      // While some findings are too old to tell, the host stays the suspect until a clock agrees with it.
      if (suspect) hostAheadSeconds ??= seconds(aheadMs);
      // The host goes by the time that this endpoint shows too, and not by its machine's.
      else if (!isLate) hostAheadSeconds = isWrong(machineBehindMs) ? seconds(machineBehindMs) : null;
      if (!isLate) wrong.delete(endpoint);
      else if (hostAheadSeconds === null) wrong.set(endpoint, seconds(aheadMs));
      return suspect || !isLate;
    },
    lateUntil: (endpoint) => (hostIsSuspect() ? -Infinity : (late.get(endpoint)?.until ?? -Infinity)),
    aheadSeconds: (endpoint) => wrong.get(endpoint) ?? null,
    hostClockAheadSeconds: () => hostAheadSeconds,
  };
}

function isWrong(differenceMs: number): boolean {
  return Math.abs(differenceMs) > LARGEST_DIFFERENCE_MS;
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

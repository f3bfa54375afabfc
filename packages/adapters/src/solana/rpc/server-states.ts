import type { ServerStates } from '@subrail/core/ports';
import type { NodeClocks } from './node-clocks.js';
import type { Endpoint } from './sources.js';

/** The failed calls in a row after which an endpoint counts as failing. */
const FAILURES_IN_A_ROW = 2;

/** Says how the endpoints have answered so far. */
export function serverStates(
  endpoints: readonly Endpoint[],
  { aheadSeconds, hostClockAheadSeconds }: Pick<NodeClocks, 'aheadSeconds' | 'hostClockAheadSeconds'>,
): ServerStates {
  return {
    servers: endpoints.map((endpoint) => {
      const ahead = aheadSeconds(endpoint);
      const failing = endpoint.failures >= FAILURES_IN_A_ROW;
      return {
        condition: ahead !== null ? 'wrong_clock' : failing ? 'failing' : 'ok',
        aheadSeconds: ahead,
        ...endpoint.counted,
      };
    }),
    hostClockAheadSeconds: hostClockAheadSeconds(),
  };
}

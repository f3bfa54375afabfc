import type { Clock } from '@subrail/core/ports';
import { type CallRpc, type Timeouts, createFailover } from '../rpc/failover.js';
import { createNodeClocks } from '../rpc/node-clocks.js';
import { type RpcSource, endpointsOf } from '../rpc/sources.js';
import { timedBy } from './chain-on.js';

/** Calls with failover over these sources, timed by one clock. */
export function callsOver(
  sources: RpcSource | readonly RpcSource[],
  clock: Clock,
  timeouts: Timeouts,
): CallRpc {
  const endpoints = endpointsOf(sources);
  const time = timedBy(clock);
  const nodeClocks = createNodeClocks(endpoints, time);
  return createFailover(endpoints, { ...time, timeouts, nodeClocks }).call;
}

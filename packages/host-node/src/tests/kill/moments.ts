import { setTimeout as pause } from 'node:timers/promises';
import type { HostsUnderLoad } from './hosts-under-load.js';

/** The calls of the chain in a charge: after each of these a kill leaves other work behind. */
const CALLS = ['getMultipleAccounts', 'simulateTransaction', 'sendTransaction', 'getSignatureStatuses'];

/**
 * Waits for a moment at which a kill may hurt: within the next seconds, as soon as some webhooks have
 * arrived, or when a host has got some answers of the chain that it needs for charges.
 *
 * @param due how many charges are due
 * @param random a random number below another one
 * @returns the place of the host that is to be killed: the one that got the answers, or any
 */
export async function untilSomeMoment(
  running: HostsUnderLoad,
  due: number,
  random: (below: number) => number,
): Promise<number> {
  const { received } = running;
  const any = random(running.urls().length);
  const arrived = received.requests + 1 + random(due);
  const webhooks = async () => {
    while (received.requests < arrived) await pause(1);
    return any;
  };
  const method = CALLS[random(CALLS.length + 2)];
  if (method !== undefined) {
    // A host reads all its claims in one call, and four charges share a transaction. Each host has its part.
    const most = /^get/.test(method) ? 1 : due / 4 / running.urls().length;
    const calls = running.answered(method, 1 + random(most));
    return Promise.race([calls, pause(10_000, any)]);
  }
  return Promise.race([random(2) === 0 ? webhooks() : pause(random(3_000), any), pause(10_000, any)]);
}

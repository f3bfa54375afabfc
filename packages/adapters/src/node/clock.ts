import { uptime } from 'node:os';
import type { Clock } from '@subrail/core/ports';
import { createClock } from '../web/clock/clock.js';

/**
 * Creates the Clock port of a Node process: `createClock`, which here is right as soon as the machine wakes
 * up.
 *
 * @example
 * const clock = createNodeClock();
 */
export function createNodeClock(): Clock {
  return createClock({ uptime: () => uptime() * 1_000 });
}

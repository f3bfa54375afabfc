import type { Clock } from './clock.js';

/** Milliseconds since any fixed instant: `elapsed` of the clock, or its dates when it has none. */
export function elapsedOf(clock: Pick<Clock, 'now' | 'elapsed'>): number {
  return clock.elapsed?.() ?? clock.now().getTime();
}

import type { Clock } from './clock.js';

/** The time that passed by a clock, in milliseconds since any fixed instant: its dates where it tells no time of its own for that. */
export function elapsedOf(clock: Pick<Clock, 'now' | 'elapsed'>): number {
  return clock.elapsed?.() ?? clock.now().getTime();
}

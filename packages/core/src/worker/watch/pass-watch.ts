import type { Service } from '../../service.js';

/** Looks in a row that find a pass which does not run, when its timer is broken. */
const STANDING_LOOKS = 3;

/** Looks in a row that find a run without progress, when it hangs: as many as fit into five minutes. */
const HANGING_LOOKS = 300;

/** A pass, as far as one can see that it runs. */
export interface WatchedPass {
  readonly name: string;
  /** How often it has begun, gone on or ended so far, and whether a run is in progress. */
  readonly activity: () => { readonly signs: number; readonly isRunning: boolean };
}

/**
 * Makes the look that reports each pass which does not run for three of its intervals, or hangs for five
 * minutes (clocks#watch-of-the-passes). Called once an interval, it counts looks and measures no time, so
 * that neither a set clock nor a process that slept deceives it.
 */
export function createPassWatch(
  { alerts }: Pick<Service, 'alerts'>,
  passes: readonly WatchedPass[],
): () => void {
  const seen = new Map<string, { signs: number; looks: number }>();
  return () => {
    for (const { name, activity } of passes) {
      const { signs, isRunning } = activity();
      const last = seen.get(name);
      const looks = last?.signs === signs ? last.looks + 1 : 0;
      seen.set(name, { signs, looks });
      if (looks === 0) alerts.over('pass_standing', name);
      else if (looks >= (isRunning ? HANGING_LOOKS : STANDING_LOOKS))
        alerts.seen({ kind: 'pass_standing', subject: name, facts: { pass: name } });
    }
  };
}

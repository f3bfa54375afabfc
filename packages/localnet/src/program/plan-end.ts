import { refuse } from './errors.js';
import { SECONDS_PER_HOUR } from './periods.js';

/** A plan's end must be at least one period ahead, else 511 (program#create-plan). An end of 0 is no end. */
export function requireEndBeyondOnePeriod(endTs: bigint, periodHours: bigint, now: bigint): void {
  if (endTs !== 0n && now + periodHours * SECONDS_PER_HOUR > endTs) refuse('InvalidEndTs');
}

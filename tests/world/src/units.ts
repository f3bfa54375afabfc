/** Lengths of time in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The period of most plans in tests. */
export const MONTH = 30 * DAY;

/** What the plan of a test world costs, in the smallest unit of its token. */
export const PRICE = 5_000_000n;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What the plan of a test world costs, in the smallest unit of its token. */
export const PRICE = 5_000_000n;

/** How long a test may be pending, by the wall clock. Older tests were lost with their process. */
export const TEST_PENDING_MS = 60_000;

/** The excerpt of a lost test. */
export const UNFINISHED_TEST = 'The attempt was never finished: the process that made it ended before.';

/** For how long a test may be pending, by the wall clock. One that is older was given up with the process that sent it. */
export const TEST_PENDING_MS = 60_000;

/** What such a test shows instead of an answer. */
export const UNFINISHED_TEST = 'The attempt was never finished: the process that made it ended before.';

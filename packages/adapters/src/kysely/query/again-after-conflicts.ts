import { Unavailable } from '@subrail/core/ports';
import { pause } from '../../pause.js';

const MOST_RUNS = 12;
/** The longest pause between runs. Pauses are random, and double on average. */
const LONGEST_PAUSE_MS = 100;

/**
 * Runs a transaction, and again when the database undid it because of others. Throws `Unavailable` after
 * twelve runs.
 */
export async function againAfterConflicts<T>(
  isConflict: (error: unknown) => boolean,
  run: () => Promise<T>,
): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (runs === MOST_RUNS)
        throw new Unavailable(
          'Too many others write the same rows at this moment. Nothing was written. Try again in a few seconds.',
          { cause: error },
        );
    }
    // Random, so that the same transactions do not meet again.
    await pause(Math.random() * Math.min(2 ** runs, LONGEST_PAUSE_MS));
  }
}

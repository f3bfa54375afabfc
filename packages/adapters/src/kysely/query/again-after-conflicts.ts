import { Unavailable } from '@subrail/core/ports';
import { pause } from '../../pause.js';

/** How often a transaction runs before its store is called unavailable. */
const MOST_RUNS = 12;
/** The longest pause before a run. Pauses are random, and twice as long on average after each run. */
const LONGEST_PAUSE_MS = 100;

/**
 * Runs a transaction, and again when the database undid it because of others that ran meanwhile. Throws `Unavailable` when that
 * happens again and again.
 *
 * @param isConflict whether an error means that
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
    // Of several that met, each begins at another time, so that they do not meet again.
    await pause(Math.random() * Math.min(2 ** runs, LONGEST_PAUSE_MS));
  }
}

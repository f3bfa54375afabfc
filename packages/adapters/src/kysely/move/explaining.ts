import { MoveRefused } from './claim.js';

const FROZEN =
  'The database to move from is frozen: nothing is charged until the move ends or is given up. Mend the cause and run the same command again, ' +
  'which goes on where it was, or give the move up with "subrail migrate --cancel-move".';
const NOT_FROZEN = 'The database to move from is as it was. Mend the cause and run the same command again.';

/**
 * Does a step of a move. An error of an engine becomes a sentence that says what to do.
 *
 * @param failed what failed, as the beginning of the sentence
 * @param isFrozen whether the source is frozen already
 */
export async function explaining<T>(failed: string, isFrozen: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    throw new MoveRefused(`${failed}: ${refusal.message}. ${isFrozen ? FROZEN : NOT_FROZEN}`, {
      cause: error,
    });
  }
}

/** The error of an engine, by its code. Every other error is worded already, or a fault. */
function refusalIn(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && /^([0-9A-Z]{5}|SQLITE_\w+)$/.test(String(error.code))) return error;
  return refusalIn(error.cause);
}

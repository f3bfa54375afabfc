import { CHANGE_PARTS } from './parts.mjs';
import { endIfInterrupted } from './processes.mjs';
import { endWithCounts, failuresIn, runParts } from './run-parts.mjs';

/** Two parts at a time keep the processors busy while one of them waits for a process, a server or a disk. */
const RUNNING = { width: 2, limitMs: 30 * 60_000 };

/** Runs what every change has to pass, as `.ci/run` does in a clean clone. */
export async function testChange() {
  const outcomes = await runParts(CHANGE_PARTS, RUNNING);
  if (!endIfInterrupted()) endWithCounts(outcomes, failuresIn(outcomes));
}

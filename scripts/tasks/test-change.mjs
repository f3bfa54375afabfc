import { PARTS } from './parts.mjs';
import { endLike, interruptedBy } from './processes.mjs';
import { printOutcome, runParts } from './run-parts.mjs';

/** Two parts at a time keep the processors busy while one of them waits for a process, a server or a disk. */
const WIDTH = 2;

/** Runs what every change has to pass, as `.ci/run` does in a clean clone. */
export async function testChange() {
  const parts = PARTS.filter(({ when }) => when === 'change');
  const outcomes = await runParts(parts, WIDTH, ({ name, passed, failures, seconds }) =>
    console.log(`-- ${name}: ${passed} passed, ${failures.length} failed, ${seconds} s`),
  );
  const signal = interruptedBy();
  if (signal !== undefined) {
    endLike({ code: null, signal });
    return;
  }
  process.exitCode = printOutcome(outcomes, outcomes) ? 0 : 1;
}

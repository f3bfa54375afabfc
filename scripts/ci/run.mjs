// Does in a clean clone what a newcomer would: installs, checks, tests, starts, plays the demo. The last line counts what
// passed and failed; the exit code is 0 only when nothing failed.

import { ensureInstalled } from '../tasks/install.mjs';
import { PARTS } from '../tasks/parts.mjs';
import { runParts } from '../tasks/run-parts.mjs';

/** Two parts at a time keep the processors busy while one of them waits for a process, a server or a disk. */
const WIDTH = 2;

if (!(await ensureInstalled())) {
  console.log('0 passed, 1 failed');
  process.exit(1);
}
const parts = PARTS.filter(({ when }) => when === 'change');
const outcomes = await runParts(parts, WIDTH, ({ name, passed, failures, seconds }) =>
  console.log(`-- ${name}: ${passed} passed, ${failures.length} failed, ${seconds} s`),
);
const failures = outcomes.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
if (failures.length > 0) console.log(`\n-- what failed\n${failures.join('\n')}`);
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = outcomes.length === parts.length && failures.length === 0 ? 0 : 1;

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment } from './plain-environment.mjs';
import { capture, inOwnFolder, interruptedBy } from './processes.mjs';
import { showStep, slots } from './progress.mjs';

/** @typedef {import('./parts.mjs').Part} Part */

/**
 * @typedef {object} Running
 * @property {number} width how many run at a time
 * @property {number} limitMs none takes nearly as long: one that hangs is ended then, so that the others are
 *   heard of
 * @property {number} [graceMs] none takes as long to end what it started, once it is told to
 * @property {(outcome: Outcome) => unknown} [ended] is called after each, and waited for
 */

/** What is printed after the counts, such as the warning of a child that ends, takes nothing from them. */
const COUNTS = /^(\d+) passed, (\d+) failed$/gm;

/**
 * What a part came to.
 *
 * @typedef {object} Outcome
 * @property {string} name
 * @property {number} passed
 * @property {readonly string[]} failures a line for each
 * @property {number} seconds
 * @property {readonly import('./last-whole-run.mjs').MeasuredFile[]} files the test files that it ran
 * @property {string} output
 */

/**
 * Runs parts. Prints a line for each, and the whole output of each in which something failed. A part that
 * fails without a count of failures, or that counts nothing at all, has one failure.
 * @param {readonly Part[]} parts
 * @param {Running} running
 * @returns {Promise<readonly Outcome[]>}
 */
export async function runParts(parts, { width, ended, ...limits }) {
  const withSlot = slots(width);
  const outcomes = parts.map((part) =>
    withSlot(async () => {
      if (interruptedBy() !== undefined) return [];
      const outcome = await inOwnFolder((folder) => runPart(part, folder, limits));
      if (interruptedBy() !== undefined) return [];
      if (outcome.failures.length > 0) console.log(`\n── ${outcome.name} ──\n${outcome.output.trim()}`);
      await ended?.(outcome);
      return [outcome];
    }),
  );
  return (await Promise.all(outcomes)).flat();
}

/**
 * What failed in parts, a line for each.
 * @param {readonly Outcome[]} outcomes
 */
export const failuresIn = (outcomes) =>
  outcomes.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));

/**
 * Prints what failed, and the counts as the last line. The exit code is 0 when nothing failed.
 * @param {readonly Pick<Outcome, 'passed'>[]} outcomes
 * @param {readonly string[]} failures
 */
export function endWithCounts(outcomes, failures) {
  if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`);
  const sum = outcomes.reduce((sum, { passed }) => sum + passed, 0);
  console.log(`\n${sum} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/**
 * @param {Part} part
 * @param {string} folder for its temporary files
 * @param {Pick<Running, 'limitMs' | 'graceMs'>} limits
 * @returns {Promise<Outcome>}
 */
async function runPart(part, folder, { limitMs, graceMs = 15_000 }) {
  const since = performance.now();
  const outcome = await showStep(part.name, async () => {
    const missing = (await part.prepare?.()) ?? null;
    const { passed, failures, files, output } =
      missing === null
        ? await runCommand(part, folder, { limitMs, graceMs })
        : { passed: 0, failures: missing.split('\n').slice(0, 1), files: [], output: missing };
    const counts = `${passed} passed, ${failures.length} failed`;
    return { code: failures.length, counts, passed, failures, files, output };
  });
  return { ...outcome, name: part.name, seconds: Math.round((performance.now() - since) / 1_000) };
}

/**
 * @param {Part} part
 * @param {string} folder
 * @param {Required<Pick<Running, 'limitMs' | 'graceMs'>>} limits
 * @returns {Promise<Pick<Outcome, 'passed' | 'failures' | 'files' | 'output'>>}
 */
async function runCommand(part, folder, limits) {
  const report = join(folder, 'report.json');
  const env = { ...plainEnvironment(), TMPDIR: folder, TEST_REPORT: report };
  const { code, signal, isLate, output } = await capture(part.command, { env }, limits);
  const counted = countsOf(part, code, output, report);
  const { passed, failures, files } = counted ?? { passed: 0, failures: [], files: [] };
  const ended = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  const ending = isLate ? `it did not end within ${limits.limitMs / 1_000} s` : ended;
  const isUnnamed = failures.length === 0 && (code !== 0 || counted === null);
  return { passed, failures: isLate || isUnnamed ? [...failures, ending] : failures, files, output };
}

/**
 * What a part counted; null when it has no counts, or counted nothing.
 * @param {Part} part
 * @param {number | null} code
 * @param {string} output
 * @param {string} report
 * @returns {Pick<import('../test/run-report.js').RunReport, 'passed' | 'failures' | 'files'> | null}
 */
function countsOf({ counts }, code, output, report) {
  if (counts === 'exit code') return code === 0 ? { passed: 1, failures: [], files: [] } : null;
  if (counts === 'printed') {
    const [, passed = 0, failed = 0] = [...output.matchAll(COUNTS)].at(-1) ?? [];
    if (Number(passed) + Number(failed) === 0) return null;
    const marked = [...output.matchAll(/^ +✗ (.*)$/gm)].map(([, what = '']) => what);
    const failures = Array.from({ length: Number(failed) }, (_, index) => marked[index] ?? 'without a name');
    return { passed: Number(passed), failures, files: [] };
  }
  if (!existsSync(report)) return null;
  const counted = /** @type {import('../test/run-report.js').RunReport} */ (
    JSON.parse(readFileSync(report, 'utf8'))
  );
  return counted.passed + counted.failures.length === 0 ? null : counted;
}

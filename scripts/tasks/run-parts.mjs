import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, interruptedBy } from './processes.mjs';
import { showStep } from './progress.mjs';
import { slots } from './slots.mjs';

/** @typedef {import('./parts.mjs').Part} Part */

/**
 * No part takes nearly as long: one that hangs is killed then, with all that it started, so that the others are heard of. And none
 * takes as long to end what it started once it is interrupted.
 */
const LIMITS = { limitMs: 40 * 60_000, graceMs: 15_000 };

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
 * @property {readonly import('./heavy-files.mjs').MeasuredFile[]} files the test files that it ran
 * @property {string} output
 */

/**
 * Runs parts. Prints a line for each, and the whole output of each in which something failed. A part that fails without a
 * count of failures, or that counts nothing at all, has one failure.
 * @param {readonly Part[]} parts
 * @param {number} width how many run at a time
 * @param {(outcome: Outcome) => unknown} [ended] is called after each, and waited for
 * @param {import('./processes.mjs').Limits} [limits]
 * @returns {Promise<readonly Outcome[]>}
 */
export async function runParts(parts, width, ended, limits = LIMITS) {
  const withSlot = slots(width);
  const outcomes = parts.map((part) =>
    withSlot(async () => {
      if (interruptedBy() !== undefined) return [];
      const outcome = await runPart(part, limits);
      if (interruptedBy() !== undefined) return [];
      if (outcome.failures.length > 0) console.log(`\n── ${outcome.name} ──\n${outcome.output.trim()}`);
      await ended?.(outcome);
      return [outcome];
    }),
  );
  return (await Promise.all(outcomes)).flat();
}

/**
 * Prints what failed of what was run, and the sum of what passed and failed.
 * @param {readonly Pick<Outcome, 'passed'>[]} passed what counts as passed: a run that goes on has parts of before
 * @param {readonly Outcome[]} ran
 * @returns {boolean} whether nothing failed
 */
export function printOutcome(passed, ran) {
  const failures = ran.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
  if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`);
  const sum = passed.reduce((sum, outcome) => sum + outcome.passed, 0);
  console.log(`\n${sum} passed, ${failures.length} failed`);
  return failures.length === 0;
}

/**
 * @param {Part} part
 * @param {import('./processes.mjs').Limits} limits
 * @returns {Promise<Outcome>}
 */
async function runPart(part, limits) {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-part-'));
  const since = performance.now();
  try {
    const { passed, failures, files, output } = await showStep(part.name, async () => {
      const missing = (await part.prepare?.()) ?? null;
      if (missing !== null) return { code: 1, passed: 0, failures: [missing], files: [], output: missing };
      const report = join(folder, 'report.json');
      const env = { ...process.env, TEST_REPORT: report };
      const { code, signal, output } = await capture(part.command, { env, detached: true }, limits);
      const counted = countsOf(part, code, output, report);
      const ending = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      const silent = counted === null || (code !== 0 && counted.failures.length === 0);
      const failures = [...(counted?.failures ?? []), ...(silent ? [`it ${ending}`] : [])];
      const { passed = 0, files = [] } = counted ?? {};
      return { code: failures.length, passed, failures, files, output };
    });
    const seconds = Math.round((performance.now() - since) / 1_000);
    return { name: part.name, passed, failures, seconds, files, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    const failures = Array.from({ length: Number(failed) }, (_, index) => marked[index] ?? 'not run');
    return { passed: Number(passed), failures, files: [] };
  }
  if (!existsSync(report)) return null;
  const counted = /** @type {import('../test/run-report.js').RunReport} */ (
    JSON.parse(readFileSync(report, 'utf8'))
  );
  return counted.passed + counted.failures.length === 0 ? null : counted;
}

// The record of the last commit of which `npm run test:all` passed every part, some perhaps after a failure,
// with the test files that take long or much memory. Each of these says why in its first line, so that it is
// a decision and not an accident.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { capture } from './processes.mjs';
import { ROOT } from './repository.mjs';

/** Its path from the root. */
export const RECORD = 'docs/evidence/test-all.json';

/**
 * @typedef {{ file: string, seconds: number, megabytes: number }} MeasuredFile a test file, by its path from
 * the root
 */

/**
 * @typedef {object} WholeRun
 * @property {string} commit what was tested
 * @property {string} date the UTC day on which it ended
 * @property {string} machine the operating system, the number of processors and the version of Node
 * @property {number} minutes
 * @property {number} passed
 * @property {readonly { name: string, passed: number, seconds: number, tries: number }[]} parts each with how
 *   often it was run to its end
 * @property {readonly MeasuredFile[]} heavy
 */

/** @returns {WholeRun | null} null before the first one */
export function readLastWholeRun() {
  const file = join(ROOT, RECORD);
  return existsSync(file) ? /** @type {WholeRun} */ (JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** A sentence that says how far the last whole run is behind. */
export async function sinceLastWholeRun() {
  const run = readLastWholeRun();
  if (run === null) return 'Everything was never tested as a whole: npm run test:all does it.';
  const { code, output } = await capture(['git', 'rev-list', '--count', `${run.commit}..HEAD`]);
  return `Commits since the last npm run test:all, of ${run.date}: ${code === 0 ? output.trim() : 'unknown'}.`;
}

/** @param {MeasuredFile} measured */
export const isHeavy = ({ seconds, megabytes }) => seconds > 5 || megabytes > 500;

/**
 * Whether the first line of a test file is `// Heavy:` and a reason.
 * @param {string} text
 */
export const saysWhyHeavy = (text) => /^\/\/ Heavy: \w/.test(text);

/**
 * Prints the heavy files that do not say why.
 * @param {readonly MeasuredFile[]} measured
 * @param {string} advice what is printed before them
 * @returns {boolean} whether there are any
 */
export function printSilent(measured, advice) {
  const silent = measured
    .filter((one) => isHeavy(one) && existsSync(join(ROOT, one.file)))
    .filter(({ file }) => !saysWhyHeavy(readFileSync(join(ROOT, file), 'utf8')));
  if (silent.length === 0) return false;
  console.log(`\nThese files took more than 5 s or 500 MB. ${advice}`);
  for (const { file, seconds, megabytes } of silent) console.log(`  ${seconds} s  ${megabytes} MB  ${file}`);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // What a whole run measured is judged and not what this machine does now, so the answer is the same
  // everywhere.
  const advice =
    'Begin each with a line "// Heavy: <why>", which it needs until a whole run has found it light:';
  process.exitCode = printSilent(readLastWholeRun()?.heavy ?? [], advice) ? 1 : 0;
}

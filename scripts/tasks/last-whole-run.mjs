// The record of the last commit of which `npm run test:all` passed every part, some perhaps after a failure.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from './processes.mjs';
import { ROOT } from './repository.mjs';

/** Its path from the root. */
export const RECORD = 'docs/evidence/test-all.json';

/**
 * @typedef {object} WholeRun
 * @property {string} commit what was tested
 * @property {string} date the UTC day on which it ended
 * @property {string} machine the operating system, the number of processors and the version of Node
 * @property {number} minutes
 * @property {number} passed
 * @property {readonly { name: string, passed: number, seconds: number, tries: number }[]} parts each with how often it was run to its
 *   end until it passed
 * @property {readonly import('./heavy-files.mjs').MeasuredFile[]} heavy the test files that take long or much memory
 */

/** @returns {WholeRun | null} null before the first one */
export function readLastWholeRun() {
  try {
    return /** @type {WholeRun} */ (JSON.parse(readFileSync(join(ROOT, RECORD), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** @param {WholeRun} run */
export function writeLastWholeRun(run) {
  mkdirSync(dirname(join(ROOT, RECORD)), { recursive: true });
  writeFileSync(join(ROOT, RECORD), `${JSON.stringify(run, null, 2)}\n`);
}

/** A sentence that says how far the last whole run is behind. */
export async function sinceLastWholeRun() {
  const run = readLastWholeRun();
  if (run === null) return 'Everything was never tested as a whole: npm run test:all does it.';
  const counted = await capture(['git', 'rev-list', '--count', `${run.commit}..HEAD`]).catch(() => null);
  const commits = counted?.code === 0 ? counted.output.trim() : 'unknown';
  return `Commits since the last npm run test:all, of ${run.date}: ${commits}.`;
}

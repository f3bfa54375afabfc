// Prints how many tests of a vitest JSON report passed and failed. A test that did not run counts as failed, and so does a
// test file that could not be loaded, so that a test that disappears is not counted as a success. Adds a line for each
// that failed to a file, because a log is often read from its end.
//
// node scripts/ci/count-tests.mjs <report> <file of failures>

import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** @typedef {{ name: string, status: string, assertionResults: readonly { status: string, fullName: string }[] }} FileReport */

const [, , file = '', failuresFile = ''] = process.argv;
const report = /** @type {{ testResults: readonly FileReport[] }} */ (JSON.parse(readFileSync(file, 'utf8')));

let passed = 0;
/** @type {string[]} */
const failures = [];
for (const { name, status, assertionResults } of report.testResults) {
  const path = relative('.', name);
  const notPassed = assertionResults.filter((result) => result.status !== 'passed');
  passed += assertionResults.length - notPassed.length;
  failures.push(...notPassed.map((result) => `${path}: ${result.fullName}: ${result.status}`));
  if (status === 'failed' && !notPassed.some((result) => result.status === 'failed')) {
    failures.push(`${path}: could not be run`);
  }
}
appendFileSync(failuresFile, failures.map((failure) => `${failure}\n`).join(''));
console.log(`${passed} ${failures.length}`);

// Prints how many tests of a vitest JSON report passed and failed. A test that did not run counts as failed, and so does a
// test file that could not be loaded, so that a test that disappears is not counted as a success.

import { readFileSync } from 'node:fs';

/** @typedef {{ status: string, assertionResults: readonly { status: string }[] }} FileReport */

const [, , file = ''] = process.argv;
const report = /** @type {{ testResults: readonly FileReport[] }} */ (JSON.parse(readFileSync(file, 'utf8')));

const results = report.testResults.flatMap(({ status, assertionResults }) => {
  const statuses = assertionResults.map((result) => result.status);
  return status === 'failed' && !statuses.includes('failed') ? [...statuses, 'failed'] : statuses;
});
const passed = results.filter((status) => status === 'passed').length;
console.log(`${passed} ${results.length - passed}`);

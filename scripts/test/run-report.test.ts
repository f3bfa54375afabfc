import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isHeavy, saysWhyHeavy } from '../tasks/last-whole-run.mjs';
import { ROOT } from '../tasks/repository.mjs';
import { reportOf } from './run-report.js';

/** The report of a test file and its tests that ended in these states. */
function reported(
  file: 'passed' | 'failed',
  tests: readonly string[],
  errors: readonly { message?: string }[] = [],
) {
  const module = {
    moduleId: join(ROOT, 'a.test.ts'),
    state: () => file,
    children: {
      allTests: () => tests.map((state) => ({ fullName: 'b', result: () => ({ state }) })).values(),
    },
    diagnostic: () => ({ collectDuration: 1_000, duration: 2_340 }),
    meta: () => ({ grownBytes: 12_345_678 }),
  };
  return reportOf([module as unknown as Parameters<typeof reportOf>[0][number]], errors);
}

it.each([
  ['failed', ['passed', 'failed', 'passed'], 2, ['a.test.ts: b: failed']],
  ['passed', ['passed', 'skipped'], 1, ['a.test.ts: b: skipped']],
  ['passed', ['passed', 'pending'], 1, ['a.test.ts: b: pending']],
  ['failed', [], 0, ['a.test.ts: could not be run']],
  ['failed', ['passed'], 1, ['a.test.ts: could not be run']],
] as const)(
  'of a file that %s with %j, it counts %i and has a line for each failure',
  (file, tests, passed, failures) => {
    expect(reported(file, tests)).toMatchObject({ passed, failures });
  },
);

it('counts an error outside of tests, and says how long a file took and how far it let the memory grow', () => {
  expect(reported('passed', ['passed'], [{ message: 'Worker exited' }])).toEqual({
    passed: 1,
    failures: ['outside of tests: Worker exited'],
    files: [{ file: 'a.test.ts', seconds: 3.3, megabytes: 12 }],
  });
});

it.each([
  [5, 500, false],
  [5.1, 0, true],
  [0, 501, true],
])('a file that takes %d s and %d MB is heavy: %s', (seconds, megabytes, heavy) => {
  expect(isHeavy({ file: 'a.test.ts', seconds, megabytes })).toBe(heavy);
});

it.each([
  ['// Heavy: kills hosts under load.\n', true],
  ['// Heavy:\n', false],
  ["import 'vitest';\n// Heavy: kills hosts.\n", false],
])('the first line of %j says why: %s', (text, says) => {
  expect(saysWhyHeavy(text)).toBe(says);
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isHeavy, saysWhyHeavy } from '../tasks/heavy-files.mjs';
import { ROOT } from '../tasks/repository.mjs';
import { reportOf } from './run-report.js';

type Module = Parameters<typeof reportOf>[0][number];
type State = 'passed' | 'failed' | 'skipped' | 'pending';

/** A test file that ended in a state, with tests that did. */
function fileOf(state: 'passed' | 'failed', ...tests: readonly State[]): Module {
  const cases = tests.map((state) => ({ fullName: `is ${state}`, result: () => ({ state }) }));
  return {
    moduleId: join(ROOT, 'some.test.ts'),
    state: () => state,
    children: { allTests: () => cases.values() },
    diagnostic: () => ({ collectDuration: 1_000, duration: 2_340 }),
    meta: () => ({ grownBytes: 12_345_678 }),
  } as unknown as Module;
}

describe('the report of a test run', () => {
  it('counts what passed, and has a line for each failure', () => {
    expect(reportOf([fileOf('failed', 'passed', 'failed', 'passed')], [])).toMatchObject({
      passed: 2,
      failures: ['some.test.ts: is failed: failed'],
    });
  });

  it.each(['skipped', 'pending'] as const)('counts a test that was %s as failed', (state) => {
    expect(reportOf([fileOf('passed', 'passed', state)], [])).toMatchObject({
      passed: 1,
      failures: [`some.test.ts: is ${state}: ${state}`],
    });
  });

  it('counts a file that could not be loaded as one failure', () => {
    const failures = ['some.test.ts: could not be run'];
    expect(reportOf([fileOf('failed')], [])).toMatchObject({ passed: 0, failures });
    expect(reportOf([fileOf('failed', 'passed')], [])).toMatchObject({ passed: 1, failures });
  });

  it('counts an error outside of tests, such as a process of the tests that ended', () => {
    const report = reportOf([fileOf('passed', 'passed')], [{ message: 'Worker exited unexpectedly' }]);
    expect(report).toMatchObject({ passed: 1, failures: ['outside of tests: Worker exited unexpectedly'] });
  });

  it('says how long a file took with its imports, and how far it let the memory grow', () => {
    expect(reportOf([fileOf('passed', 'passed')], []).files).toEqual([
      { file: 'some.test.ts', seconds: 3.3, megabytes: 12 },
    ]);
  });
});

it('a file is heavy above five seconds or 500 MB', () => {
  const file = 'some.test.ts';
  expect(isHeavy({ file, seconds: 5, megabytes: 500 })).toBe(false);
  expect(isHeavy({ file, seconds: 5.1, megabytes: 0 })).toBe(true);
  expect(isHeavy({ file, seconds: 0, megabytes: 501 })).toBe(true);
});

it.each([
  ['// Heavy: kills hosts under load.\n', true],
  ['// Heavy:\n', false],
  ["import 'vitest';\n// Heavy: kills hosts under load.\n", false],
])('the first line of %j says why: %s', (text, says) => {
  expect(saysWhyHeavy(text)).toBe(says);
});

import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type MeasuredFile, printSilent } from '../tasks/last-whole-run.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** The result of a run of tests, for the commands that run several. */
export interface RunReport {
  readonly passed: number;
  /** A line for each test that did not pass, and for each file and error outside of tests. */
  readonly failures: readonly string[];
  readonly files: readonly MeasuredFile[];
}

const MEGABYTE = 1_000_000;

/**
 * Counts the tests that passed and lists those that did not. A test that did not run counts as failed, and so
 * does a file that could not be loaded, so that a test that disappears is not taken for a success.
 */
export function reportOf(
  modules: readonly Pick<TestModule, 'moduleId' | 'state' | 'children' | 'diagnostic' | 'meta'>[],
  errors: readonly { readonly message?: string }[],
): RunReport {
  let passed = 0;
  const failures = errors.map(
    ({ message }) => `outside of tests: ${message ?? 'an error without a message'}`,
  );
  const files: MeasuredFile[] = [];
  for (const module of modules) {
    const file = module.moduleId.replace(ROOT, '');
    const tests: readonly TestCase[] = [...module.children.allTests()];
    const notPassed = tests.filter((test) => test.result().state !== 'passed');
    passed += tests.length - notPassed.length;
    failures.push(...notPassed.map((test) => `${file}: ${test.fullName}: ${test.result().state}`));
    if (module.state() === 'failed' && !notPassed.some((test) => test.result().state === 'failed'))
      failures.push(`${file}: could not be run`);
    const { collectDuration, duration } = module.diagnostic();
    files.push({
      file,
      seconds: Math.round((collectDuration + duration) / 100) / 10,
      megabytes: Math.round((module.meta().grownBytes ?? 0) / MEGABYTE),
    });
  }
  return { passed, failures, files };
}

/**
 * Writes the report of a run into the file that `TEST_REPORT` names, if any, and prints which test files take
 * long or much memory without saying why.
 */
export default class RunReporter implements Reporter {
  readonly #file = process.env['TEST_REPORT'];

  constructor() {
    // A run that a test starts must not write over the report of this one.
    delete process.env['TEST_REPORT'];
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message?: string }[]): void {
    const report = reportOf(modules, errors);
    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(report));
    printSilent(
      report.files,
      'A busy machine says little, and a file that is run alone loads for all. When npm test lists one on a quiet machine, begin it with a line "// Heavy: <why>", or make it lighter:',
    );
  }
}

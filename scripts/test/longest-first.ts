import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readLastWholeRun } from '../tasks/last-whole-run.mjs';
import { ROOT } from '../tasks/repository.mjs';

/**
 * Begins with the test files that the last whole run found longest. In a fresh copy Vitest knows no times and
 * begins with the largest files, so that a short file with a long test comes last, and all processors but one
 * wait for it.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = new Map(readLastWholeRun()?.heavy.map(({ file, seconds }) => [file, seconds]));
    const secondsOf = ({ moduleId }: TestSpecification) => seconds.get(moduleId.replace(ROOT, '')) ?? 0;
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    // The files of a project stay together, because they share processes, and light ones stay as Vitest
    // sorted them.
    return projects.flatMap((of) =>
      sorted
        .filter(({ project }) => project === of)
        .toSorted((one, other) => secondsOf(other) - secondsOf(one)),
    );
  }
}

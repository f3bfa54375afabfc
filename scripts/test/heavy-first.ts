import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the test files that begin with `// Heavy:`. In a fresh copy Vitest knows no times and begins
 * with the largest files, so that a short file with a long test comes last, and all processors but one wait
 * for it.
 */
export default class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLight = ({ moduleId }: TestSpecification) =>
      Number(!readFileSync(moduleId, 'utf8').startsWith('// Heavy:'));
    const sorted = await super.sort(files);
    // The files of a project stay together, because they share processes.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((of) =>
      sorted.filter(({ project }) => project === of).toSorted((one, other) => isLight(one) - isLight(other)),
    );
  }
}

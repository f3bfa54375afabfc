import { expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { TEST_PROJECTS, unknownProject, withoutLongTests } from '../tasks/test-projects.mjs';

it('names every project of the test run', () => {
  const projects = (config.test?.projects ?? []) as readonly { readonly test: { readonly name: string } }[];
  expect(TEST_PROJECTS).toEqual(projects.map(({ test }) => test.name));
});

it.each([[['--project', 'adaptors']], [['--project', 'core', 'src/rules', '--project=adaptors']]])(
  'refuses %j and lists the projects',
  (args) => {
    expect(unknownProject(args)).toBe(
      `No project of the tests is named "adaptors". The projects are: ${TEST_PROJECTS.join(', ')}.`,
    );
  },
);

it.each([[[]], [['src/rules']], [['--project', 'core', '--project=contract*']], [['--project', '!core']]])(
  'has nothing against %j',
  (args) => {
    expect(unknownProject(args)).toBeNull();
  },
);

it('runs the long tests only when a project is named', () => {
  expect(withoutLongTests(['src/rules'])).toEqual(['--project', '!long', 'src/rules']);
  for (const args of [['--project', 'long'], ['--project=core']])
    expect(withoutLongTests(args)).toEqual(args);
});

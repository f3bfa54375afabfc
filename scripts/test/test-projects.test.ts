import { expect, it } from 'vitest';
import config from '../../vitest.config.js';
import {
  CONTRACT_PROJECTS,
  LONG_PROJECTS,
  TEST_PROJECTS,
  unknownProject,
  withProjects,
} from '../tasks/test-projects.mjs';

it('names every project of the test run', () => {
  const projects = (config.test?.projects ?? []) as readonly { readonly test: { readonly name: string } }[];
  expect([...TEST_PROJECTS].sort()).toEqual(projects.map(({ test }) => test.name).sort());
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

it('runs the contract suite and the long tests only when a project is named', () => {
  const args = withProjects(['src/rules']);
  expect(args).toEqual(expect.arrayContaining(['core', 'service', 'scripts', 'src/rules']));
  for (const name of [...CONTRACT_PROJECTS, ...LONG_PROJECTS]) expect(args).not.toContain(name);
  for (const given of [['--project', 'long'], ['--project=core']]) expect(withProjects(given)).toEqual(given);
});

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createFilter } from 'vite';
import { expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { PARTS } from '../tasks/parts.mjs';
import { ROOT } from '../tasks/repository.mjs';
import {
  COMMAND_PROJECTS,
  MEMBER_PROJECTS,
  TEST_PROJECTS,
  unknownProject,
  withProjects,
} from '../tasks/test-projects.mjs';
import { readTexts } from '../tasks/texts.mjs';

interface Project {
  readonly name: string;
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

const projects = ((config.test?.projects ?? []) as readonly { readonly test: Project }[]).map(
  ({ test }) => test,
);

it('names every project of the test run', () => {
  expect([...TEST_PROJECTS].sort()).toEqual(projects.map(({ name }) => name).sort());
});

const runners = projects.map(({ name, root, include, exclude = [] }) => {
  const includes = createFilter([...include], [...exclude], { resolve: join(ROOT, root) });
  const runs = (file: string) => join(ROOT, file).startsWith(join(ROOT, root)) && includes(join(ROOT, file));
  return { name, runs };
});

const FILES = [...readTexts(ROOT).keys()].filter((path) => path.endsWith('.test.ts'));

it('every test file is run by a project', () => {
  expect(FILES.length).toBeGreaterThan(400);
  expect(FILES.filter((file) => !runners.some(({ runs }) => runs(file)))).toEqual([]);
});

it.each([
  ['packages/core/src/x.test.ts', ['quick', 'core']],
  ['packages/core/src/folder/x.mocked.test.ts', ['mocked']],
  ['tests/service/src/folder/x.test.ts', ['quick', 'service', 'service-postgres']],
  ['tests/service/src/folder/x.long.test.ts', ['long', 'long-postgres']],
  ['tests/contract/src/folder/x.test.ts', ['contract', 'contract-postgres']],
  ['tests/contract/src/coverage/folder/x.test.ts', ['contract-reach']],
  ['tests/pages/src/folder/x.test.ts', ['pages']],
  ['examples/embed/src/tests/x.postgres.test.ts', ['postgres', 'postgres-oldest']],
  ['scripts/test/folder/x.test.ts', ['quick', 'scripts']],
  ['scripts/test/folder/x.long.test.ts', ['long']],
  ['tests/world/src/x.test.ts', []],
])('%s would be run by %j', (file, names) => {
  expect(runners.filter(({ runs }) => runs(file)).map(({ name }) => name)).toEqual(names);
});

it.each([[['--project', 'adaptors']], [['--project', 'core', 'src/rules', '--project=adaptors']]])(
  'refuses %j and lists the projects',
  (args) => {
    expect(unknownProject(args)).toBe(
      `No project of the tests is named "adaptors". The projects are: ${TEST_PROJECTS.join(', ')}.`,
    );
  },
);

it.each([[['--project']], [['src/rules', '--project=']]])('refuses %j, which names none', (args) => {
  expect(unknownProject(args)).toMatch(/^--project needs a name\. The projects are: quick, /);
});

it.each([[[]], [['src/rules']], [['--project', 'core', '--project=contract*']], [['--project', '!core']]])(
  'has nothing against %j',
  (args) => {
    expect(unknownProject(args)).toBeNull();
  },
);

it('runs the projects of the command unless one is named', () => {
  expect(withProjects(['-u'], COMMAND_PROJECTS['test:contract'])).toEqual([
    '--project=contract',
    '--project=contract-reach',
    '-u',
  ]);
  for (const given of [['--project', 'long'], ['--project=core']])
    expect(withProjects(given, COMMAND_PROJECTS.test)).toEqual(given);
});

it('every project and every long test is in a part of npm run test:all, and on the page', () => {
  const commands = PARTS.map(({ command }) => command);
  const named = commands.flat().flatMap((arg) => /^--project=(.*)$/.exec(arg)?.[1] ?? []);
  const scripts = Object.entries(COMMAND_PROJECTS).filter(([script]) => commands.flat().includes(script));
  const run = [...named, ...scripts.flatMap(([, names]) => names)];
  expect([...run, ...MEMBER_PROJECTS].sort()).toEqual([...TEST_PROJECTS].sort());

  const folders = commands.filter((args) => args.includes('test:long')).map((args) => `${args.at(-1)}/`);
  const files = FILES.filter((file) => file.endsWith('.long.test.ts'));
  expect(files.length).toBeGreaterThan(folders.length);
  expect(files.filter((file) => !folders.some((folder) => file.startsWith(folder)))).toEqual([]);

  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  expect(TEST_PROJECTS.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(files.filter((file) => !page.includes(`\`${basename(file, '.long.test.ts')}\``))).toEqual([]);
});

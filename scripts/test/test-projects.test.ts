import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFilter } from 'vite';
import { expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { PARTS } from '../tasks/parts.mjs';
import { readTexts, ROOT } from '../tasks/repository.mjs';
import { COMMAND_PROJECTS, MEMBER_PROJECTS, TEST_PROJECTS, withProjects } from '../tasks/test-projects.mjs';

interface Project {
  readonly name: string;
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

const projects = (config.test?.projects ?? []) as readonly { readonly test: Project }[];
const runners = projects.map(({ test: { name, root, include, exclude = [] } }) => {
  const includes = createFilter([...include], [...exclude], { resolve: join(ROOT, root) });
  return {
    name,
    runs: (file: string) => join(ROOT, file).startsWith(join(ROOT, root)) && includes(join(ROOT, file)),
  };
});
const FILES = [...readTexts().keys()].filter((path) => path.endsWith('.test.ts'));

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

it('runs the projects of the command unless one is named', () => {
  const contract = ['--project=contract', '--project=contract-reach', '-u'];
  expect(withProjects(['-u'], COMMAND_PROJECTS['test:contract'])).toEqual(contract);
  for (const given of [['--project', 'long'], ['--project=core']])
    expect(withProjects(given, COMMAND_PROJECTS.test)).toEqual(given);
});

it('every project and every long test is in a part of npm run test:all, and every project on the page', () => {
  const commands = PARTS.map(({ command }) => command);
  const named = commands.flat().flatMap((arg) => /^--project=(.*)$/.exec(arg)?.[1] ?? []);
  const scripts = Object.entries(COMMAND_PROJECTS).filter(([script]) => commands.flat().includes(script));
  const run = [...named, ...scripts.flatMap(([, names]) => names), ...MEMBER_PROJECTS];
  expect(run.toSorted()).toEqual([...TEST_PROJECTS].toSorted());
  expect(projects.map(({ test }) => test.name).toSorted()).toEqual([...TEST_PROJECTS].toSorted());

  const folders = commands.filter((args) => args.includes('test:long')).map((args) => `${args.at(-1)}/`);
  const long = FILES.filter((file) => file.endsWith('.long.test.ts'));
  expect(long.length).toBeGreaterThan(folders.length);
  expect(long.filter((file) => !folders.some((folder) => file.startsWith(folder)))).toEqual([]);
  const page = readFileSync(join(ROOT, 'tests/README.md'), 'utf8');
  expect(TEST_PROJECTS.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

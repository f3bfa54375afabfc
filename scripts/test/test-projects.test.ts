import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { PARTS } from '../tasks/parts.mjs';
import { ROOT } from '../tasks/repository.mjs';
import {
  CONTRACT_PROJECTS,
  LONG_PROJECTS,
  PAGES_PROJECT,
  POSTGRES_PROJECTS,
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

it.each([[['--project']], [['src/rules', '--project=']]])('refuses %j, which names none', (args) => {
  expect(unknownProject(args)).toMatch(/^No project of the tests is named ""\. The projects are: core, /);
});

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

function longTestsIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : longTestsIn(path);
    return entry.name.endsWith('.long.test.ts') ? [path] : [];
  });
}

it('every project and every long test is in a part of npm run test:all, and on the page', () => {
  const commands = PARTS.map(({ command }) => command);
  const named = commands.flat().flatMap((arg) => /^--project=(.*)$/.exec(arg)?.[1] ?? []);
  const quick = withProjects([]).filter((arg) => arg !== '--project');
  const others = [...CONTRACT_PROJECTS, ...POSTGRES_PROJECTS, PAGES_PROJECT, ...LONG_PROJECTS];
  expect([...new Set([...quick, ...others, ...named])].sort()).toEqual([...TEST_PROJECTS].sort());

  const scripts = ['test', 'test:contract', 'test:postgres', 'test:pages', 'test:long'];
  for (const script of scripts) expect(commands.flat()).toContain(script);

  const folders = commands.filter((args) => args.includes('test:long')).map((args) => `${args.at(-1)}/`);
  const members = ['packages', 'examples', 'tests', 'scripts'].map((folder) => join(ROOT, folder));
  const files = members.flatMap((folder) => longTestsIn(folder)).map((file) => relative(ROOT, file));
  expect(files.length).toBeGreaterThan(folders.length);
  expect(files.filter((file) => !folders.some((folder) => file.startsWith(folder)))).toEqual([]);

  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  expect(files.filter((file) => !page.includes(`\`${basename(file, '.long.test.ts')}\``))).toEqual([]);
});

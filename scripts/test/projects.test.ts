import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFilter } from 'vite';
import { expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { COMMAND_PROJECTS } from '../tasks/commands.mjs';
import { PARTS } from '../tasks/parts.mjs';
import { toolCommand } from '../tasks/processes.mjs';
import { readTexts, ROOT } from '../tasks/repository.mjs';
import { CHANGE_TESTS } from '../tasks/test-all.mjs';

interface Project {
  readonly name: string;
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

const projects = (config.test?.projects ?? []) as readonly { readonly test: Project }[];
const NAMES = projects.map(({ test }) => test.name);
const FILES = [...readTexts().keys()].filter((path) => path.endsWith('.test.ts'));

it('every test file is run by a project', () => {
  const filters = projects.map(({ test: { root, include, exclude = [] } }) =>
    createFilter([...include], [...exclude], { resolve: join(ROOT, root) }),
  );
  expect(FILES.length).toBeGreaterThan(400);
  expect(FILES.filter((file) => !filters.some((runs) => runs(join(ROOT, file))))).toEqual([]);
});

it('every project and every long test is in a part of npm run test:all, and every project on the page', () => {
  const args = PARTS.flatMap(({ command }) => command.join(' ').split(' '));
  const scripts = Object.entries(COMMAND_PROJECTS).filter(([script]) => args.includes(script));
  const run = [
    ...args.flatMap((arg) => /^--project=(.*)$/.exec(arg)?.[1] ?? []),
    ...scripts.flatMap(([, names]) => names),
  ];
  expect(run.toSorted()).toEqual(NAMES.toSorted());

  const long = FILES.filter((file) => file.endsWith('.long.test.ts'));
  expect(long.filter((file) => !args.some((arg) => file.startsWith(`${arg}/`)))).toEqual([]);
  const page = readFileSync(join(ROOT, 'tests/README.md'), 'utf8');
  expect(NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('npm run test:all passes on no variable that a long test reads, but the seed and the path', () => {
  const long = [...readTexts()].filter(([file]) => /\.long\.test\.ts$|\/kill\//.test(file)).join();
  const read = [...long.matchAll(/process\.env\['(\w+)'\] \?\?/g)].map(([, name = '']) => name);
  const passedOn = read.filter((name) => !CHANGE_TESTS.split(' ').includes(name));
  expect(new Set(passedOn)).toEqual(new Set(['PROPERTY_SEED', 'PATH']));
});

it('a misspelt project is refused beside a right one', () => {
  const [node = '', ...args] = toolCommand('vitest', ['list', '--project=quick', '--project', 'quikc']);
  const { status, stderr } = spawnSync(node, args, { cwd: ROOT, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^There is no project quikc\. .*\n$/)]);
});

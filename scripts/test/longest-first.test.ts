import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { readLastWholeRun } from '../tasks/last-whole-run.mjs';
import { ROOT } from '../tasks/repository.mjs';
import LongestFirst from './longest-first.js';

/** What Vitest knows in a fresh copy: no time, and of each file its size. */
const FRESH = {
  config: { root: ROOT },
  cache: { getFileTestResults: () => undefined, getFileStats: (key: string) => ({ size: key.length }) },
} as unknown as Vitest;

const project = (name: string) => ({ name, config: { sequence: { groupOrder: 0 }, isolate: false } });

it('begins, in each project, with what the last whole run found longest', async () => {
  const [longest, other] = (readLastWholeRun()?.heavy ?? [])
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ file }) => file);
  const [quick, postgres] = [project('quick'), project('postgres')];
  const files = [
    { project: quick, file: 'light.test.ts' },
    { project: postgres, file: 'light.test.ts' },
    { project: quick, file: other },
    { project: postgres, file: 'larger-light.test.ts' },
    { project: quick, file: longest },
  ];
  const specifications = files.map(({ project, file }) => ({ project, moduleId: join(ROOT, String(file)) }));
  const sorted = await new LongestFirst(FRESH).sort(specifications as unknown as TestSpecification[]);
  expect(sorted.map(({ project, moduleId }) => [project.name, moduleId.replace(ROOT, '')])).toEqual([
    ['postgres', 'larger-light.test.ts'],
    ['postgres', 'light.test.ts'],
    ['quick', longest],
    ['quick', other],
    ['quick', 'light.test.ts'],
  ]);
});

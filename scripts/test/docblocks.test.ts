import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { undocumentedExports } from '../tasks/docblocks.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-docblocks-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The names without a docblock that `index.ts` exports, in a package of the given files. */
function undocumented(files: Readonly<Record<string, string>>): readonly string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return undocumentedExports([join(folder, 'index.ts')]).map(
    (problem) => /: (\w+) is exported without a docblock/.exec(problem)?.[1] ?? problem,
  );
}

it.each([
  'export function oak() {}',
  'export const oak = 1;',
  'export type oak = string;',
  'export interface oak {}',
  'export class oak {}',
])('%s needs a docblock', (declaration) => {
  expect(undocumented({ 'index.ts': declaration })).toEqual(['oak']);
  expect(undocumented({ 'index.ts': `/** A tree. */\n${declaration}` })).toEqual([]);
});

it('a docblock that only gives an example does not say what the name is', () => {
  expect(undocumented({ 'index.ts': '/** @example oak() */\nexport function oak() {}' })).toEqual(['oak']);
});

it('one docblock serves a schema and the type that is inferred from it', () => {
  const source = '/** A tree. */\nexport const Oak = {};\nexport type Oak = typeof Oak;';
  expect(undocumented({ 'index.ts': source })).toEqual([]);
});

it('follows a name to the file that declares it, and leaves out what is not exported', () => {
  const inside = '/** A tree. */\nexport const oak = 1;\nexport const pine = 2;\nexport const hidden = 3;';
  const index = "export { oak, pine as fir } from './trees/inside.js';";
  expect(undocumented({ 'index.ts': index, 'trees/inside.ts': inside })).toEqual(['fir']);
});

it('leaves a name of another package to that package', () => {
  expect(undocumented({ 'index.ts': "export { z } from 'zod';\nexport * from 'zod';" })).toEqual([]);
});

// The tables of imports. They stand in docs/architecture.md, which people and the import check read.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './tasks/repository.mjs';

/**
 * @typedef {object} Allowance
 * @property {readonly string[]} siblings what else of the same table it may import, by folder
 * @property {readonly string[]} modules npm packages; `@scope/*` allows a whole scope
 * @property {boolean} node whether Node's built-in modules may be used
 */

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** @param {string} cell */
const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/**
 * The rows of the table under a heading: the name in the first cell of each, with the others.
 * @template Row
 * @param {string} heading
 * @param {(cells: readonly string[]) => Row} read
 * @returns {Readonly<Record<string, Row>>}
 */
function tableUnder(heading, read) {
  const [, table] = new RegExp(`^#+ ${heading}$[^]*?^\\|---.*\n((?:\\|.*\n)+)`, 'm').exec(page) ?? [];
  if (table === undefined) throw new Error(`docs/architecture.md has no table under "${heading}".`);
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '));
  return Object.fromEntries(rows.map(([name, ...cells]) => [namesIn(name)[0], read(cells)]));
}

/**
 * The allowed imports of each package's sources.
 * @type {Readonly<Record<string, Allowance>>}
 */
export const PACKAGES = tableUnder('Packages', ([, siblings, modules, node]) => ({
  siblings: namesIn(siblings),
  modules: namesIn(modules),
  node: node === 'yes',
}));

const SIBLING = /^adapters\//;

/**
 * The allowed imports of each sub-path of adapters besides core.
 * @type {Readonly<Record<string, Allowance>>}
 */
export const ADAPTERS = tableUnder('Adapters, one sub-path each', ([allowed, node]) => ({
  siblings: namesIn(allowed).flatMap((name) => (SIBLING.test(name) ? [name.replace(SIBLING, '')] : [])),
  modules: namesIn(allowed).filter((name) => !SIBLING.test(name)),
  node: node === 'yes',
}));

/**
 * The layers inside core, each with those that it may use, and those that it may name in types only. A layer
 * is a folder, a file, or a folder and a file of the same name, and may use itself.
 */
export const CORE_LAYERS = tableUnder('Inside core', ([, allowed = '']) => {
  const [layers, types] = allowed.split('types of');
  return { layers: namesIn(layers), types: namesIn(types) };
});

/**
 * The packages that the tests and benches of a package may use besides those of its sources.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const TEST_PACKAGES = { adapters: ['localnet'] };

/**
 * The test files of a package (or of all packages): a `.test.ts` file, a `tests` folder, and the benches.
 */
export const testFiles = (folder = '[^/]+') => [
  `^packages/${folder}/bench/`,
  `^packages/${folder}/src/tests/`,
  `^packages/${folder}/src/.+/tests/`,
  `^packages/${folder}/src/.+\\.test\\.ts$`,
];

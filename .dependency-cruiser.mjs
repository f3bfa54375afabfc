import { join } from 'node:path';
import { ADAPTERS, CORE_LAYERS, PACKAGES, TEST_PACKAGES, testFiles } from './scripts/import-table.mjs';
import { readManifest, ROOT, workspaceFolders } from './scripts/tasks/repository.mjs';

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The pattern of an npm package in the import graph: by its folder when installed, by its bare name when not.
 * @param {string} name
 */
function modulePattern(name) {
  const own = name.endsWith('/*') ? `${escaped(name.slice(0, -2))}/[^/]+` : escaped(name);
  return `(^|node_modules/)(@types/)?${own}(/|$)`;
}

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

/**
 * @param {string} name
 * @param {string} comment what is wrong when this rule is broken
 * @param {Rule['from']} from
 * @param {Rule['to']} to
 * @returns {Rule}
 */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * The sources under a path: everything there but its tests.
 * @param {string} path
 */
const sourcesOf = (path) => ({ path, pathNot: testFiles() });

/**
 * A row of the import table: the sources under a path import what is listed, and Node only where the row
 * allows it.
 * @param {string} name
 * @param {string} path
 * @param {readonly string[]} own patterns of what it may import of this repository
 * @param {import('./scripts/import-table.mjs').Allowance} allowance
 */
function tableRow(name, path, own, { modules, node }) {
  // An unresolved relative path is the type check's to report.
  const listed = [...own, ...modules.map(modulePattern), '^\\.'];
  const rows = [
    forbid(
      `${name}-imports`,
      `${name} imports something its row of the import table does not list`,
      sourcesOf(path),
      { pathNot: listed, dependencyTypesNot: ['core'] },
    ),
  ];
  if (node) return rows;
  const comment = `${name} runs wherever JavaScript runs, so it imports nothing of Node`;
  return [...rows, forbid(`${name}-no-node`, comment, sourcesOf(path), { dependencyTypes: ['core'] })];
}

/** @param {string} folder */
const packagePattern = (folder) => `^packages/${folder}/`;

const packageRows = Object.entries(PACKAGES).flatMap(([folder, allowance]) => {
  const own = [folder, ...allowance.siblings];
  return [
    ...tableRow(folder, `^packages/${folder}/src/`, own.map(packagePattern), allowance),
    forbid(
      `${folder}-test-imports`,
      `the tests of ${folder} import a package that their row of the import table does not list`,
      { path: testFiles(folder) },
      {
        path: '^(packages|tests)/',
        // Servers for tests know nothing of the packages, so every package may be tested on them.
        pathNot: [...[...own, ...(TEST_PACKAGES[folder] ?? [])].map(packagePattern), '^tests/postgres/'],
      },
    ),
  ];
});

const adapterRows = Object.entries(ADAPTERS).flatMap(([folder, allowance]) => {
  const folders = [folder, ...allowance.siblings].map((sibling) => `^packages/adapters/src/${sibling}/`);
  const own = [packagePattern('core'), '^packages/adapters/src/[^/]+\\.ts$', ...folders];
  return tableRow(`adapters-${folder}`, `^packages/adapters/src/${folder}/`, own, allowance);
});

/** @param {string} layer */
const layerPattern = (layer) => `^packages/core/src/${layer}(/|\\.ts$)`;

const coreLayers = Object.entries(CORE_LAYERS).flatMap(([layer, { layers, types }]) => {
  const from = sourcesOf(layerPattern(layer));
  const known = [layer, ...layers, ...types];
  const rules = [
    forbid(`core-${layer}-layer`, `core's ${layer} may import ${known.join(', ')} and no other layer`, from, {
      path: '^packages/core/src/',
      pathNot: known.map(layerPattern),
    }),
  ];
  if (types.length === 0) return rules;
  const typesOnly = `core's ${layer} may import types of ${types.join(' and ')}, and no values`;
  return [
    ...rules,
    forbid(`core-${layer}-types-only`, typesOnly, from, {
      path: types.map(layerPattern),
      dependencyTypesNot: ['type-only'],
    }),
  ];
});

const RECEIVER = '^packages/core/src/webhooks/receiver/';
const SIGNING = '^packages/core/src/webhooks/signing\\.ts$';

/**
 * What receives webhooks is a small bundle of its own, and its exemptions from the bans never reach the
 * service.
 */
const webhookReceiver = [
  forbid(
    'core-receiver-alone',
    'what receives webhooks imports signatures, and only types of the rest of core and of npm packages',
    { path: [RECEIVER, SIGNING], pathNot: testFiles() },
    { pathNot: [RECEIVER, SIGNING], dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'core-receiver-apart',
    'the service does not import what runs at the receiver, because that may read the time without a port',
    { path: '^packages/core/src/', pathNot: [RECEIVER, '^packages/core/src/webhooks\\.ts$', ...testFiles()] },
    { path: RECEIVER },
  ),
];

const entryPoints = workspaceFolders().map((folder) => {
  const { exports = {} } = readManifest(join(ROOT, folder));
  return forbid(
    `${folder.split('/')[1] ?? folder}-entry-points`,
    `${folder} is imported by its entry points only`,
    { pathNot: `^${folder}/` },
    {
      path: `^${folder}/`,
      pathNot: Object.values(exports).map((source) => `^${folder}/${escaped(source.slice(2))}$`),
    },
  );
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...packageRows,
    ...adapterRows,
    ...coreLayers,
    ...webhookReceiver,
    forbid(
      'core-known-layers',
      'every file of core belongs to a layer that the import table knows',
      {
        path: '^packages/core/src/',
        pathNot: [...testFiles(), ...Object.keys(CORE_LAYERS).map(layerPattern)],
      },
      {},
    ),
    ...entryPoints,
    forbid(
      'by-name',
      'another package is imported by its name, never by a path into its folder',
      { path: '^(packages|examples|tests)/([^/]+)/' },
      { path: '^(packages|examples|tests)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    ),
    forbid(
      'no-test-in-source',
      'a source imports no test file, because tests are not published',
      sourcesOf('^packages/[^/]+/src/'),
      { path: testFiles() },
    ),
    forbid(
      'examples-use-what-is-published',
      'an example imports published packages only, because that is all its reader can install',
      { path: '^examples/' },
      { path: '^tests/' },
    ),
    forbid(
      'declared',
      'a package declares what its sources import among its dependencies or peer dependencies',
      sourcesOf('^packages/[^/]+/src/'),
      {
        // Each release of these clients wants one major of kit, so the builds bundle the little that is used
        // of them, and kit is whatever the app has.
        pathNot: '@solana-program/(compute-budget|token-2022)/',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'type-only'],
      },
    ),
    forbid(
      'no-circular',
      'two files import each other, directly or through others; move what they share into a third file',
      {},
      { circular: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The builds may write theirs meanwhile.
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json', '.d.ts'],
      // For the whole run: no file changes meanwhile.
      cachedInputFileSystem: { cacheDuration: 120_000 },
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'node'],
    },
  },
};

import { ADAPTERS, CORE_LAYERS, PACKAGES, TEST_PACKAGES, testFiles } from './scripts/import-table.mjs';

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

/** @type {(name: string, comment: string, from: Rule['from'], to: Rule['to']) => Rule} */
const refuse = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const TABLE = 'docs/architecture.md lists what it may import: import that, or change its row and say why.';

/**
 * The sources under a path: everything there but its tests.
 * @param {string} path
 */
const sourcesOf = (path) => ({ path, pathNot: testFiles() });

/**
 * The pattern of an npm package in the import graph: by its folder when installed, by its bare name when not.
 * @param {string} name
 */
const modulePattern = (name) => `(^|node_modules/)(@types/)?${name.replace(/\*$/, '[^/]+')}(/|$)`;

/** @param {string} folder */
const packagePattern = (folder) => `^packages/${folder}/`;

/** @param {string} layer */
const layerPattern = (layer) => `^packages/core/src/${layer}(/|\\.ts$)`;

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
  /** @type {Rule['to']} */
  const imports = { pathNot: listed, dependencyTypesNot: ['core'] };
  return [
    refuse(`${name}-imports`, TABLE, sourcesOf(path), imports),
    ...(node ? [] : [refuse(`${name}-no-node`, TABLE, sourcesOf(path), { dependencyTypes: ['core'] })]),
  ];
}

const packageRows = Object.entries(PACKAGES).flatMap(([folder, allowance]) => {
  const own = [folder, ...allowance.siblings];
  const ofTests = [...own, ...(TEST_PACKAGES[folder] ?? [])].map(packagePattern);
  return [
    ...tableRow(folder, `^packages/${folder}/src/`, own.map(packagePattern), allowance),
    // Servers for tests know nothing of the packages, so every package may be tested on them.
    refuse(
      `${folder}-test-imports`,
      'Test a package with its own imports, or add the other package to TEST_PACKAGES of the import table.',
      { path: testFiles(folder) },
      { path: '^(packages|tests)/', pathNot: [...ofTests, '^tests/postgres/'] },
    ),
  ];
});

const adapterRows = Object.entries(ADAPTERS).flatMap(([folder, allowance]) => {
  const folders = [folder, ...allowance.siblings].map((sibling) => `^packages/adapters/src/${sibling}/`);
  const own = [packagePattern('core'), '^packages/adapters/src/[^/]+\\.ts$', ...folders];
  return tableRow(`adapters-${folder}`, `^packages/adapters/src/${folder}/`, own, allowance);
});

const coreLayers = Object.entries(CORE_LAYERS).flatMap(([layer, { layers, types }]) => {
  const from = sourcesOf(layerPattern(layer));
  const others = { path: '^packages/core/src/', pathNot: [layer, ...layers, ...types].map(layerPattern) };
  /** @type {Rule['to']} */
  const values = { path: types.map(layerPattern), dependencyTypesNot: ['type-only'] };
  return [
    refuse(`core-${layer}-layer`, TABLE, from, others),
    ...(types.length === 0 ? [] : [refuse(`core-${layer}-types-only`, TABLE, from, values)]),
  ];
});

const SOURCES = sourcesOf('^packages/[^/]+/src/');
const RECEIVER = '^packages/core/src/webhooks/receiver/';
const SIGNING = '^packages/core/src/webhooks/signing\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...packageRows,
    ...adapterRows,
    ...coreLayers,
    refuse(
      'core-known-layers',
      'Move the file into a layer that docs/architecture.md lists, or add a row for its layer there.',
      {
        path: '^packages/core/src/',
        pathNot: [...testFiles(), ...Object.keys(CORE_LAYERS).map(layerPattern)],
      },
      {},
    ),
    refuse(
      'core-receiver-alone',
      'The receiver of webhooks is a small bundle of its own: import types only.',
      { path: [RECEIVER, SIGNING], pathNot: testFiles() },
      { pathNot: [RECEIVER, SIGNING], dependencyTypesNot: ['type-only'] },
    ),
    refuse(
      'core-receiver-apart',
      'Code at the receiver may read the time without a port: nothing else of core may import it.',
      {
        path: '^packages/core/src/',
        pathNot: [RECEIVER, '^packages/core/src/webhooks\\.ts$', ...testFiles()],
      },
      { path: RECEIVER },
    ),
    refuse(
      'by-name',
      'Import another package by its name, never by a path into its folder.',
      { path: '^(packages|examples|tests)/([^/]+)/' },
      { path: '^(packages|examples|tests)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    ),
    refuse(
      'browser-types-only',
      'A page bundles what it imports: name types of core only, or move what both need into the page.',
      sourcesOf('^packages/browser/src/'),
      { path: '^packages/core/', dependencyTypesNot: ['type-only'] },
    ),
    refuse('no-test-in-source', 'Move it into a source.', SOURCES, { path: testFiles() }),
    refuse(
      'examples-use-what-is-published',
      'Do not import it.',
      { path: '^examples/' },
      { path: '^tests/' },
    ),
    refuse('declared', 'Add it to the dependencies or peerDependencies of the package.', SOURCES, {
      // Each release of these clients wants one major of kit, so the builds bundle the little that is used of
      // them, and kit is whatever the app has.
      pathNot: '@solana-program/(compute-budget|token-2022)/',
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'type-only'],
    }),
    refuse('no-circular', 'Move what both files use into a third one.', {}, { circular: true }),
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

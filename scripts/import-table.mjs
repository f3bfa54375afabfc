// The table of imports. The import check, the linter and the tests that break the table on purpose read it
// here; docs/architecture.md shows the same table to people, and a test compares the two.

/**
 * @typedef {object} Allowance
 * @property {readonly string[]} siblings what else of the same table it may import, by folder
 * @property {readonly string[]} modules npm packages; `@scope/*` allows a whole scope
 * @property {boolean} node whether Node's built-in modules may be used
 */

/** The allowed imports of each package's sources. */
export const PACKAGES = /** @satisfies {Record<string, Allowance>} */ ({
  core: { siblings: [], modules: ['zod', '@standard-schema/spec'], node: false },
  adapters: {
    siblings: ['core'],
    modules: ['kysely', 'better-sqlite3', 'pg', '@electric-sql/pglite', '@solana/kit', '@solana-program/*'],
    node: true,
  },
  localnet: {
    siblings: [],
    modules: ['litesvm', '@solana/kit', '@solana-program/*', 'ws'],
    node: true,
  },
  testing: {
    siblings: ['core', 'adapters', 'localnet'],
    modules: ['@solana/kit', '@solana-program/*'],
    node: true,
  },
  'host-node': {
    siblings: ['core', 'adapters', 'localnet'],
    modules: [
      'kysely',
      'better-sqlite3',
      'commander',
      'pg',
      '@solana/kit',
      '@solana-program/*',
      'pino',
      'prom-client',
      'zod',
      '@opentelemetry/*',
    ],
    node: true,
  },
});

/**
 * The test files of a package (or of all packages): a `.test.ts` file, a `tests` folder, and the benches.
 * They obey the test rows of the table, and no source may import them.
 */
export const testFiles = (folder = '[^/]+') => [
  `^packages/${folder}/bench/`,
  `^packages/${folder}/src/tests/`,
  `^packages/${folder}/src/.+/tests/`,
  `^packages/${folder}/src/.+\\.test\\.ts$`,
];

/**
 * Which packages the tests and benches of a package may use besides those that its sources use. The adapters
 * are tested on the local chain.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const TEST_PACKAGES = { adapters: ['localnet'] };

/**
 * What each sub-path of adapters may import besides core. The sub-paths are kept apart, so that a user of one
 * adapter installs its driver and no other.
 */
export const ADAPTERS = /** @satisfies {Record<string, Allowance>} */ ({
  memory: { siblings: [], modules: [], node: false },
  kysely: { siblings: [], modules: ['kysely'], node: false },
  sqlite: { siblings: ['kysely'], modules: ['kysely', 'better-sqlite3'], node: true },
  postgres: { siblings: ['kysely'], modules: ['kysely', 'pg'], node: true },
  pglite: { siblings: ['kysely'], modules: ['kysely', '@electric-sql/pglite'], node: false },
  solana: { siblings: [], modules: ['@solana/kit', '@solana-program/*'], node: false },
  web: { siblings: [], modules: [], node: false },
  node: { siblings: ['postgres', 'solana', 'sqlite', 'web'], modules: ['@solana/kit'], node: true },
});

/**
 * @typedef {object} Layer
 * @property {readonly string[]} layers which layers it may use
 * @property {readonly string[]} types which layers it may name in types only
 */

// The layers that the rows below may use: `commits`, `settlement`, then `worker` and `operations`, then
// `management`, then `billing`.
const COMMITS = ['contract', 'records', 'ports', 'service', 'rules', 'wire', 'transitions', 'webhooks'];
const SETTLEMENT = [...COMMITS, 'commits'];
const PASSES = [...SETTLEMENT, 'settlement'];
const MANAGEMENT = [...PASSES, 'operations'];
const BILLING = [...MANAGEMENT, 'worker', 'management', 'operation-table'];

/**
 * The layers inside core. A layer is a folder, a file, or a folder and a file of the same name, and may use
 * itself and the layers listed here.
 */
export const CORE_LAYERS = /** @satisfies {Record<string, Layer>} */ ({
  contract: { layers: [], types: [] },
  records: { layers: ['contract'], types: ['ports'] },
  ports: { layers: ['contract', 'records'], types: [] },
  service: { layers: ['contract', 'records', 'ports'], types: [] },
  rules: { layers: ['contract', 'records'], types: ['ports', 'service'] },
  wire: { layers: ['contract', 'records', 'rules'], types: ['ports', 'service'] },
  transitions: { layers: ['contract', 'records', 'rules', 'wire'], types: [] },
  webhooks: { layers: ['contract', 'records', 'ports', 'rules'], types: [] },
  commits: { layers: COMMITS, types: [] },
  settlement: { layers: SETTLEMENT, types: [] },
  worker: { layers: PASSES, types: [] },
  operations: { layers: PASSES, types: [] },
  management: { layers: MANAGEMENT, types: [] },
  'operation-table': { layers: ['operations', 'management'], types: [] },
  http: {
    layers: ['contract', 'records', 'ports', 'service', 'operations', 'operation-table', 'schemas'],
    types: ['webhooks', 'worker'],
  },
  client: { layers: ['contract'], types: ['operations', 'operation-table', 'billing'] },
  testing: { layers: ['contract', 'records', 'ports'], types: [] },
  billing: { layers: [...BILLING, 'http', 'required-ports'], types: [] },
  'required-ports': { layers: ['ports', 'service'], types: [] },
  schemas: { layers: ['contract', 'management'], types: [] },
  index: { layers: [...BILLING, 'http', 'billing'], types: [] },
});

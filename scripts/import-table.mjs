// Who may import whom. The one place it is written down for machines: the import check, the linter and the tests
// that try to break the rules read it here, and docs/architecture.md tells it to people.

/**
 * @typedef {object} Allowance
 * @property {readonly string[]} siblings what else of the same table it may import, by folder
 * @property {readonly string[]} modules npm packages; `@scope/*` allows a whole scope
 * @property {boolean} node whether Node's built-in modules may be used
 */

/** What the sources of each package may import besides themselves. */
export const PACKAGES = /** @satisfies {Record<string, Allowance>} */ ({
  core: { siblings: [], modules: ['zod', '@standard-schema/spec'], node: false },
  adapters: {
    siblings: ['core'],
    modules: ['kysely', 'better-sqlite3', 'pg', '@solana/kit', '@solana-program/*'],
    node: true,
  },
  localnet: {
    siblings: [],
    modules: ['litesvm', '@solana/kit', '@solana-program/*', 'ws'],
    node: true,
  },
  'host-node': {
    siblings: ['core', 'adapters', 'localnet'],
    modules: [
      'kysely',
      'better-sqlite3',
      'pg',
      '@solana/kit',
      '@solana-program/*',
      'node-cron',
      'pino',
      'zod',
    ],
    node: true,
  },
});

/**
 * What the tests and benches of a package may use besides: the local chain stands in for the real one.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const TEST_PACKAGES = { adapters: ['localnet'] };

/**
 * What each sub-path of adapters may import besides core: who takes one adapter installs its driver and no other.
 */
export const ADAPTERS = /** @satisfies {Record<string, Allowance>} */ ({
  memory: { siblings: [], modules: [], node: false },
  kysely: { siblings: [], modules: ['kysely'], node: false },
  sqlite: { siblings: ['kysely'], modules: ['kysely', 'better-sqlite3'], node: true },
  solana: { siblings: [], modules: ['@solana/kit', '@solana-program/*'], node: false },
  http: { siblings: [], modules: [], node: true },
  node: { siblings: ['solana'], modules: ['@solana/kit'], node: true },
});

/**
 * @typedef {object} Layer
 * @property {readonly string[]} layers which layers it may use
 * @property {readonly string[]} types which layers it may name in types, without using anything of them
 */

const SERVICE = ['contract', 'records', 'ports', 'service', 'rules', 'webhooks', 'engine', 'operations'];

/** The layers inside core, each a folder or a file of its sources: it may use itself and what is listed. */
export const CORE_LAYERS = /** @satisfies {Record<string, Layer>} */ ({
  contract: { layers: [], types: [] },
  records: { layers: ['contract'], types: ['ports'] },
  ports: { layers: ['contract', 'records'], types: [] },
  service: { layers: ['contract', 'records', 'ports'], types: [] },
  rules: { layers: ['contract', 'records'], types: ['ports', 'service'] },
  webhooks: { layers: ['contract', 'records', 'ports'], types: [] },
  engine: { layers: ['contract', 'records', 'ports', 'service', 'rules', 'webhooks'], types: [] },
  operations: {
    layers: ['contract', 'records', 'ports', 'service', 'rules', 'webhooks', 'engine'],
    types: [],
  },
  http: { layers: ['contract', 'records', 'ports', 'service', 'operations'], types: [] },
  testing: { layers: ['contract', 'records', 'ports'], types: [] },
  billing: { layers: SERVICE, types: [] },
  index: { layers: [...SERVICE, 'http', 'billing'], types: [] },
});

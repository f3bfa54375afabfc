// Who may import whom. The one place it is written down for machines: the import check, the linter and the
// tests that try to break the rules read it here, and docs/architecture.md tells it to people.

/**
 * @typedef {object} Allowance
 * @property {readonly string[]} packages other packages of this workspace, by folder
 * @property {readonly string[]} modules npm packages; `@scope/*` allows a whole scope
 * @property {boolean} node whether Node's built-in modules may be used
 */

/** What the sources of each package may import besides themselves. */
export const PACKAGES = /** @satisfies {Record<string, Allowance>} */ ({
  core: { packages: [], modules: ['zod', '@standard-schema/spec'], node: false },
  adapters: {
    packages: ['core'],
    modules: ['kysely', 'better-sqlite3', 'pg', '@solana/kit', '@solana-program/*'],
    node: true,
  },
  localnet: {
    packages: [],
    modules: ['litesvm', '@solana/kit', '@solana-program/*', 'ws'],
    node: true,
  },
  'host-node': {
    packages: ['core', 'adapters', 'localnet'],
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
 * @typedef {object} Layer
 * @property {readonly string[]} layers which layers it may use
 * @property {readonly string[]} types which layers it may name in types, without using anything of them
 */

/** The layers inside core: each may use itself and what is listed. */
export const CORE_LAYERS = /** @satisfies {Record<string, Layer>} */ ({
  contract: { layers: [], types: [] },
  records: { layers: ['contract'], types: ['ports'] },
  ports: { layers: ['contract', 'records'], types: [] },
  service: { layers: ['contract', 'records', 'ports'], types: [] },
  rules: { layers: ['contract', 'records'], types: ['ports', 'service'] },
  webhooks: { layers: ['contract', 'records', 'ports', 'service', 'rules'], types: [] },
  engine: {
    layers: ['contract', 'records', 'ports', 'service', 'rules', 'webhooks', 'operations'],
    types: [],
  },
  operations: {
    layers: ['contract', 'records', 'ports', 'service', 'rules', 'webhooks', 'engine'],
    types: [],
  },
  http: { layers: ['contract', 'records', 'ports', 'service', 'rules', 'operations'], types: [] },
  testing: { layers: ['contract', 'records', 'ports', 'service', 'rules'], types: [] },
});

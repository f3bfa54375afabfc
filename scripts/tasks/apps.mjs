// Installs the packed packages that an app of each framework names with plain npm, in a fresh folder, builds
// the app strictly, runs it, and uses it as a shop and its customers do, from a folder beside it that has
// what the tests need. What passes here works for a team that embeds the service.

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PACKAGES } from './consumer.mjs';
import { capture, inOwnFolder } from './processes.mjs';
import { readManifest, ROOT } from './repository.mjs';

const FOLDER = join(ROOT, 'tests', 'apps');
const SHARED = join(FOLDER, 'shared');

/**
 * The modules of `shared` that an app has among its own.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const SHARES = {
  hono: ['src/billing.ts', 'src/webhooks.ts'],
  express: ['src/billing.ts', 'src/webhooks.ts'],
  fastify: ['src/billing.ts', 'src/webhooks.ts'],
  next: ['webhooks.ts'],
};

/**
 * @typedef {object} App
 * @property {string} name
 * @property {string} [folder] its folder in `tests/apps`; its name when left out
 * @property {number} [node] the major of Node that installs, builds and runs it; this one when left out
 * @property {readonly Readonly<Record<string, string>>[]} runs what each run of it has in its environment
 * @property {true} [everyChange] whether it is tried at every change, and not only before a release
 * @property {string} [page] the page whose line installs the adapters and their peers; the app's manifest
 *   when left out
 */

const HONO = { folder: 'hono', runs: [{}], page: 'packages/adapters/README.md' };

/** Every app that is tried. @type {readonly App[]} */
export const APPS = [
  // Next's own declarations do not pass without skipLibCheck; the other apps check ours without it.
  { name: 'next', runs: [{}] },
  { name: 'express', runs: [{}, { BEHIND_PARSER: 'yes' }] },
  { name: 'fastify', runs: [{}] },
  { ...HONO, name: 'hono', everyChange: true },
  { ...HONO, name: 'hono on Node 22', node: 22 },
  { ...HONO, name: 'hono on Node 24', node: 24 },
  { name: 'worker', runs: [{}] },
];

/**
 * Copies an app into a fresh folder. Of the packages of this repository it gets those that it names, and its
 * check beside it gets all.
 * @param {string} name its folder in `tests/apps`
 * @param {string} app
 * @param {string} check
 */
function copyApp(name, app, check) {
  const own = join(FOLDER, name);
  cpSync(own, app, { recursive: true, filter: (path) => path !== join(own, 'check') });
  for (const module of SHARES[name] ?? []) cpSync(join(SHARED, basename(module)), join(app, module));
  cpSync(join(SHARED, 'check.ts'), join(check, 'check', 'check.ts'));
  cpSync(join(SHARED, 'tsconfig.check.json'), join(check, 'tsconfig.json'));
  if (existsSync(join(own, 'check'))) cpSync(join(own, 'check'), join(check, 'check'), { recursive: true });
  const { dependencies = {}, ...manifest } = readManifest(own);
  for (const [folder, packages] of /** @type {const} */ ([
    [app, PACKAGES.filter(({ name }) => name in dependencies)],
    [check, PACKAGES],
  ])) {
    const packed = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
    const installed = { ...manifest, dependencies: { ...dependencies, ...packed } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(installed, null, 2));
  }
}

const INSTALL = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * The packages in the line of a page besides ours, which come from the tarballs.
 * @param {string} page
 */
function peersOf(page) {
  const [, line] = /^npm install (.*)$/m.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
  if (line === undefined) throw new Error(`${page} has no line that begins with "npm install".`);
  return [...line.matchAll(/"([^"]+)"|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .filter((name) => !name.startsWith('@subrail/'));
}

/** The compiled part of SQLite's driver. */
const ADDON = 'better-sqlite3/build/Release/better_sqlite3.node';

/**
 * Gives an app the native addon that the repository has compiled already: each app would take minutes to
 * compile it. A driver that brings its addon needs none.
 * @param {string} folder
 */
function copyAddon(folder) {
  const compiled = join(ROOT, 'packages', 'adapters', 'node_modules', ADDON);
  const driver = join(folder, 'node_modules', 'better-sqlite3');
  if (existsSync(driver) && !existsSync(join(driver, 'prebuilds'))) {
    cpSync(compiled, join(folder, 'node_modules', ADDON), { recursive: true, dereference: true });
  }
}

/**
 * Installs an app in a fresh folder, builds it, and uses it. It passes when every command of it does.
 * @param {App} app
 */
export function tryApp({ name, folder: source = name, node, runs, page }) {
  return inOwnFolder(async (folder) => {
    const [app, check] = [join(folder, 'app'), join(folder, 'check')];
    copyApp(source, app, check);
    const onNode = node === undefined ? [] : ['npx', '--yes', `--package=node@${node}`, '--'];
    /** @type {(cwd: string, command: readonly string[], env?: object) => ReturnType<typeof capture>} */
    const run = (cwd, command, env = {}) =>
      capture([...onNode, ...command], {
        cwd,
        env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
      });
    const isOfNode = `const { node } = process.versions;
      if (!node.startsWith('${node ?? ''}')) throw new Error('Node ' + node + ' runs.');`;
    const install = [...INSTALL, ...(page === undefined ? [] : peersOf(page))];
    const bundler = existsSync(join(app, 'tsconfig.bundler.json'));
    const steps = [
      () => run(app, ['node', '--eval', isOfNode]),
      () => run(app, install),
      () => run(app, ['npm', 'run', 'build']),
      ...(bundler ? [() => run(app, ['npx', 'tsc', '-p', 'tsconfig.bundler.json'])] : []),
      () => run(check, install),
      () => run(check, ['npx', 'tsc', '-p', '.']),
      () => {
        for (const place of [app, check]) copyAddon(place);
        return Promise.resolve({ code: 0, output: '' });
      },
      ...runs.map((env) => () => run(app, ['node', join(check, 'dist-check', 'check.js')], env)),
    ];
    let output = '';
    for (const step of steps) {
      const result = await step();
      output += result.output;
      if (result.code !== 0) return { code: result.code, output };
    }
    return { code: 0, output };
  });
}

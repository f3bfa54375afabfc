// Installs the packed packages with plain npm into an app of each framework, in a fresh folder, builds the
// app strictly, runs it, and uses it as a shop and its customers do. What passes here works for a team that
// embeds the service.

import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES } from './consumer.mjs';
import { capture, inOwnFolder } from './processes.mjs';
import { readManifest, ROOT } from './repository.mjs';

const FOLDER = join(ROOT, 'tests', 'apps');
const SHARED = join(FOLDER, 'shared');

/** The apps that use the module of `shared` which opens the service on Node, and where they have it. */
const WITH_BILLING = { hono: 'src', express: 'src', fastify: 'src', next: 'lib' };

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

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const BUILD_CHARGER = [
  ...privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32),
  ...publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
];

/** The environment of a build of an app, which is never called with it. */
const BUILD_ENV = {
  DATABASE: ':memory:',
  RPC_URL: 'http://127.0.0.1:9',
  CHARGER: JSON.stringify(BUILD_CHARGER),
  SEALING_KEY: '0'.repeat(64),
  PROJECT_ID: 'proj_none',
  WEBHOOK_SECRET: 'whsec_AAAA',
  NEXT_TELEMETRY_DISABLED: '1',
};

/**
 * Copies an app into a fresh folder, with the packed packages as its dependencies.
 * @param {string} name its folder in `tests/apps`
 * @param {string} folder
 */
function copyApp(name, folder) {
  cpSync(join(FOLDER, name), folder, { recursive: true });
  cpSync(join(SHARED, 'check.ts'), join(folder, 'check', 'check.ts'), { recursive: true });
  cpSync(join(SHARED, 'tsconfig.check.json'), join(folder, 'tsconfig.check.json'));
  const place = Reflect.get(WITH_BILLING, name);
  if (typeof place === 'string') cpSync(join(SHARED, 'billing.ts'), join(folder, place, 'billing.ts'));
  const manifest = readManifest(folder);
  const packed = Object.fromEntries(PACKAGES.map(({ name, tarball }) => [name, `file:${tarball}`]));
  manifest.dependencies = { ...manifest.dependencies, ...packed };
  // A tarball that names another one by its version must get the packed one, which no registry has.
  manifest.overrides = packed;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
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
    copyApp(source, folder);
    const onNode = node === undefined ? [] : ['npx', '--yes', `--package=node@${node}`, '--'];
    /** @type {(command: readonly string[], env?: object) => ReturnType<typeof capture>} */
    const run = (command, env = BUILD_ENV) =>
      capture([...onNode, ...command], { cwd: folder, env: { ...process.env, ...env } });
    const isOfNode = `const { node } = process.versions;
      if (!node.startsWith('${node ?? ''}')) throw new Error('Node ' + node + ' runs.');`;
    const bundler = existsSync(join(folder, 'tsconfig.bundler.json'));
    const steps = [
      () => run(['node', '--eval', isOfNode]),
      () => run([...INSTALL, ...(page === undefined ? [] : peersOf(page))]),
      () => {
        copyAddon(folder);
        return run(['npm', 'run', 'build']);
      },
      ...(bundler ? [() => run(['npx', 'tsc', '-p', 'tsconfig.bundler.json'])] : []),
      () => run(['npx', 'tsc', '-p', 'tsconfig.check.json']),
      ...runs.map((env) => () => run(['node', 'dist-check/check.js'], env)),
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

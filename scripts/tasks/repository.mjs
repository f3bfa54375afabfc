import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, independent of the current folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private] whether it is not published
 * @property {string} [packageManager]
 * @property {Record<string, string>} [exports] entry points, each to its TypeScript source
 * @property {Record<string, string>} [overrides] versions that every dependent gets
 * @property {string | Record<string, string>} [bin] commands, each to its built file
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {{ exports?: Record<string, { types: string, default: string }> }} [publishConfig]
 */

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  const file = readFileSync(join(folder, 'package.json'), 'utf8');
  return /** @type {Manifest} */ (JSON.parse(file));
}

/** The folders of every workspace member, relative to the root. */
export function workspaceFolders() {
  return ['packages', 'examples', 'tests']
    .filter((parent) => existsSync(join(ROOT, parent)))
    .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
}

/**
 * Every source, test, script, page and file to deploy with, by its path from the root. What git ignores is
 * not among them.
 * @returns {ReadonlyMap<string, string>}
 */
export function readTexts() {
  const options = /** @type {const} */ ({ cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], options).split('\n');
  const written = paths.filter(
    (path) => /\.(ts|mjs|js|md)$|^deploy\//.test(path) && existsSync(join(ROOT, path)),
  );
  return new Map(written.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with installed or generated files, and with an operator's keys. */
const SKIPPED = new Set(['node_modules', 'dist', 'secrets']);

/**
 * The files under a folder that a person wrote, sorted by path.
 * @param {string} root
 * @param {string} folder relative to the root
 * @returns {string[]} paths relative to the root, with forward slashes; none when there is no such folder
 */
function filesUnder(root, folder) {
  const paths = [];
  for (const entry of entriesOf(join(root, folder))) {
    if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...filesUnder(root, path));
    else if (entry.isFile()) paths.push(path);
  }
  return paths.sort();
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Every source, test, script, page and file to deploy with of a repository with its text, by its path from the root.
 * @param {string} root
 * @returns {ReadonlyMap<string, string>}
 */
export function readTexts(root) {
  const inFolders = ['packages', 'tests', 'examples', 'scripts', 'docs', 'deploy'].flatMap((folder) =>
    filesUnder(root, folder),
  );
  const atRoot = entriesOf(root).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const written = [...atRoot, ...inFolders].filter((path) => /\.(ts|mjs|js|md)$|^deploy\//.test(path));
  return new Map(written.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

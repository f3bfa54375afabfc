import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './repository.mjs';

/**
 * Runs a TypeScript program from source inside this process, so that it gets the signals and the terminal itself.
 * @param {string} file its path from the repository's root
 * @param {readonly string[]} args
 */
export async function runSource(file, args) {
  const { register } = await import('tsx/esm/api');
  register();
  process.argv.splice(1, Infinity, join(ROOT, file), ...args);
  await import(pathToFileURL(join(ROOT, file)).href);
}

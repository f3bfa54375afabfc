import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { source } from './commands.mjs';
import { ROOT, workspaceFolders } from './repository.mjs';

/**
 * Every bench by its name. A bench is a file `packages/<package>/bench/<name>.ts` or `<name>.bench.ts` that
 * runs when it is imported.
 */
export function findBenches() {
  const folders = workspaceFolders().map((folder) => `${folder}/bench`);
  const files = folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [basename(file, '.ts').replace(/\.bench$/, ''), file]));
}

/**
 * Runs the named bench, or lists them all.
 * @param {readonly string[]} args the bench's name, then its own arguments
 */
export async function bench([name, ...args]) {
  const benches = findBenches();
  const file = benches.get(name ?? '');
  if (file !== undefined) {
    await source(file)(args);
    return;
  }
  if (name !== undefined) console.error(`There is no bench ${name}.`);
  console.log(`Run one with: npm run bench <name>`);
  for (const [known, path] of benches) console.log(`  ${known.padEnd(24)} ${path}`);
  process.exitCode = name === undefined ? 0 : 2;
}

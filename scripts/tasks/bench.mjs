import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
 * The command of a bench with its arguments, from the comment at its beginning.
 * @param {string} name
 * @param {string} file
 */
function usageOf(name, file) {
  return (
    /`(npm run bench [^`]*)`/.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1] ?? `npm run bench ${name}`
  );
}

/**
 * Runs the named bench, or lists them all.
 * @param {readonly string[]} args the bench's name, then its own arguments
 */
export async function bench([name = '', ...args]) {
  const benches = findBenches();
  const file = benches.get(name);
  if (file !== undefined) {
    try {
      await source(file)(args);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      console.error(`${error.message} Usage: ${usageOf(name, file)}`);
      process.exitCode = 2;
    }
    return;
  }
  if (name !== '') console.error(`There is no bench ${name}.`);
  console.log('Run one with:');
  for (const [known, path] of benches) console.log(`  ${usageOf(known, path)}`);
  process.exitCode = name === '' ? 0 : 2;
}

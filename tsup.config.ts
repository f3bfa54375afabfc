import { join, relative } from 'node:path';
import { defineConfig } from 'tsup';
import { readManifest, ROOT } from './scripts/tasks/repository.mjs';
import { builtEntries } from './scripts/tasks/entries.mjs';

/**
 * Where `npm run build` puts the declarations of every source, from which those of the entry points are
 * bundled.
 */
const DECLARATIONS = join(ROOT, 'dist');

const declarationsOf = (modules: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(modules).map(([name, source]) => [
      name,
      join(DECLARATIONS, relative(ROOT, process.cwd()), source.replace(/\.ts$/, '.d.ts')),
    ]),
  );

/**
 * One build for every package. Each runs it from its own folder, so the manifest read is that package's: what
 * it publishes is what gets built, and nothing lists the entry points a second time.
 */
export default defineConfig(() => {
  const { modules, commands } = builtEntries(readManifest(process.cwd()));
  return {
    entry: { ...modules, ...commands },
    format: 'esm',
    target: 'node20',
    platform: 'node',
    removeNodeProtocol: false,
    tsconfig: join(ROOT, 'tsconfig.json'),
    dts: { entry: declarationsOf(modules) },
    sourcemap: true,
    clean: true,
    silent: true,
  };
});

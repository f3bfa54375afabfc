import { defineConfig } from 'tsup';
import { readManifest } from './scripts/tasks/repository.mjs';
import { builtEntries } from './scripts/tasks/entries.mjs';

/**
 * One build for every package. Each runs it from its own folder, so the manifest read is that package's: what it
 * publishes is what gets built, and nothing lists the entry points a second time.
 */
export default defineConfig(() => {
  const { modules, commands } = builtEntries(readManifest(process.cwd()));
  return {
    entry: { ...modules, ...commands },
    format: 'esm',
    target: 'node20',
    platform: 'node',
    removeNodeProtocol: false,
    tsconfig: 'tsconfig.src.json',
    dts: { entry: modules },
    sourcemap: true,
    clean: true,
    silent: true,
  };
});

import { join, relative } from 'node:path';
import { defineConfig } from 'tsup';
import { readManifest, ROOT } from './scripts/tasks/repository.mjs';

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

/** The name of a file of `dist`, without its ending. */
const distName = (file: string) => file.replace(/^\.\/dist\/|\.js$/g, '');

/**
 * One build for every package. Each runs it from its own folder, so the manifest read is that package's: what
 * it publishes is what gets built, and nothing lists the entry points a second time.
 */
export default defineConfig(() => {
  const { exports = {}, publishConfig, bin = {} } = readManifest(process.cwd());
  const modules = Object.fromEntries(
    Object.entries(publishConfig?.exports ?? {}).map(([path, built]) => [
      distName(built.default),
      exports[path] ?? '',
    ]),
  );
  const commands = Object.values(bin).map((file) => [distName(file), `src/${distName(file)}.ts`]);
  return {
    entry: { ...modules, ...(Object.fromEntries(commands) as typeof modules) },
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

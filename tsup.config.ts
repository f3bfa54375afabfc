import { join, relative } from 'node:path';
import { defineConfig } from 'tsup';
import { readManifest, ROOT } from './scripts/tasks/repository.mjs';

/** The declarations of sources, which the check of types has written. */
const declarationsOf = (modules: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(modules).map(([name, source]) => [
      name,
      join(ROOT, 'dist', relative(ROOT, process.cwd()), source.replace(/\.ts$/, '.d.ts')),
    ]),
  );

/** The name of a file of `dist`, without its ending. */
const distName = (file: string) => file.replace(/^\.\/dist\/|\.js$/g, '');

/** The build of the package whose folder is the current one: of what its manifest publishes. */
export default defineConfig(() => {
  const { name, exports = {}, publishConfig, bin = {} } = readManifest(process.cwd());
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
    // An entry point that imports another one for its effects finds it by its name.
    external: [name],
    removeNodeProtocol: false,
    tsconfig: join(ROOT, 'tsconfig.json'),
    dts: { entry: declarationsOf(modules) },
    sourcemap: true,
    clean: true,
    silent: true,
  };
});

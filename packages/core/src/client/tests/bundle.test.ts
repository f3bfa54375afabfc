import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { describe, expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles a module as an application's bundler does, and returns its files and its code. */
async function bundle(source: string) {
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'application',
        resolveId: (id) => (id.endsWith('application') ? 'application' : null),
        load: (id) => (id === 'application' ? source : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: 'application', formats: ['es'] },
    },
  })) as Rollup.RollupOutput[];
  const chunks = output.flatMap((built) => built.output).filter((file) => file.type === 'chunk');
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  return {
    files: modules
      .filter(([file, { renderedLength }]) => file !== 'application' && renderedLength > 0)
      .map(([file]) => file.replace(SOURCES, ''))
      .sort(),
    imports: chunks.flatMap((chunk) => chunk.imports),
    code: chunks.map(({ code }) => code).join('\n'),
  };
}

const ENTRY = `${SOURCES}client/index.ts`;

describe('the bundle of an application', () => {
  it('that creates a client has nothing of the service in it, and no package', async () => {
    const { files, imports, code } = await bundle(`export { createClient } from ${JSON.stringify(ENTRY)};`);
    expect(imports).toEqual([]);
    expect(files).toEqual([
      'client/client.ts',
      'client/errors.ts',
      'client/functions.ts',
      'client/listed.ts',
      'client/read-answer.ts',
      'client/retries.ts',
      'client/routes.ts',
      'client/send.ts',
      'client/time-limit.ts',
      'contract/error-codes.ts',
      'contract/version.ts',
    ]);
    // A summary is in the declaration of every operation, next to its `run`.
    expect(code).not.toContain('summary');
    expect(code).toContain('/v1/subscriptions/{id}/submit');
  });

  it('that uses the whole entry point has at most the receiving of webhooks besides', async () => {
    const { files } = await bundle(`export * from ${JSON.stringify(ENTRY)};`);
    expect(files).toContain('client/client.ts');
    expect(files.filter((file) => !/^(client|contract|webhooks)\//.test(file))).toEqual([]);
  });
});

import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest, ROOT } from '../tasks/repository.mjs';

const CORE = join(ROOT, 'packages/core');

/**
 * The most that each entry point of core weighs in an app, in kB: bundled with everything that it imports,
 * and minified. A ceiling is a few per cent above today's figure. Whoever passes it says in the commit what
 * the app gets for the weight.
 */
const CEILINGS: Readonly<Record<string, number>> = {
  '.': 450,
  './client': 27,
  './ports': 2,
  './schemas': 156,
  './webhooks': 12,
};

/** Not weighed: the kits are for tests. */
const UNWEIGHED = './testing';

const entries = readManifest(CORE).exports as Readonly<Record<string, string>>;
const weighed = Object.entries(entries).filter(([name]) => name !== UNWEIGHED);

function bundled(source: string) {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [join(CORE, source)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
  });
  const [output] = Object.values(metafile.outputs);
  const parts = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { kB: (outputFiles[0]?.contents.length ?? 0) / 1_000, files: parts.map(([file]) => file) };
}

const bundles = weighed.map(([name, source]) => ({ name, ...bundled(source) }));

describe('what an app bundles', () => {
  it('is limited for every entry point of core', () => {
    expect(weighed.map(([name]) => name)).toEqual(Object.keys(CEILINGS));
  });

  it.each(bundles)('of $name weighs no more than its ceiling', ({ name, kB }) => {
    expect(kB).toBeLessThanOrEqual(CEILINGS[name] ?? 0);
  });

  it.each(bundles)('of $name speaks no language but English', ({ files }) => {
    const locales = files.filter((file) => file.includes('zod/v4/locales/'));
    expect(locales.filter((file) => !file.endsWith('/en.js'))).toEqual([]);
  });
});

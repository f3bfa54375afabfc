import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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

it('every entry point of core has a ceiling', () => {
  expect(weighed.map(([name]) => name)).toEqual(Object.keys(CEILINGS));
});

it.each(weighed)('what an app bundles of %s weighs no more than its ceiling', (name, source) => {
  const [output] = buildSync({
    entryPoints: [join(CORE, source)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
  }).outputFiles;
  expect((output?.contents.length ?? 0) / 1_000).toBeLessThanOrEqual(CEILINGS[name] ?? 0);
});

import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readManifest, ROOT } from '../tasks/repository.mjs';

const CORE = join(ROOT, 'packages/core');

/**
 * The most that each entry point of core weighs in an app, in kB: bundled with everything that it imports,
 * and minified. A ceiling is a few per cent above today's figure. Whoever passes it says in the commit what
 * the app gets for the weight.
 */
const CEILINGS: Readonly<Record<string, number>> = {
  '.': 480,
  './client': 27,
  './ports': 2,
  './schemas': 162,
  './webhooks': 12,
};

/** Not weighed: the kits are for tests. */
const UNWEIGHED = './testing';

const entries = readManifest(CORE).exports as Readonly<Record<string, string>>;
const weighed = Object.entries(entries).filter(([name]) => name !== UNWEIGHED);

/** The most that the engine of checkouts and portals weighs in a page, in kB: minified and compressed. */
const BROWSER_CEILING = 15;

function bundled(source: string): Uint8Array {
  const [output] = buildSync({
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
  }).outputFiles;
  return output?.contents ?? new Uint8Array();
}

it('every entry point of core has a ceiling', () => {
  expect(weighed.map(([name]) => name)).toEqual(Object.keys(CEILINGS));
});

it.each(weighed)('what an app bundles of %s weighs no more than its ceiling', (name, source) => {
  expect(bundled(join(CORE, source)).length / 1_000).toBeLessThanOrEqual(CEILINGS[name] ?? 0);
});

it('what a page bundles of browser weighs no more than its ceiling', () => {
  const weight = gzipSync(bundled(join(ROOT, 'packages/browser/src/index.ts')), { level: 9 }).length / 1_000;
  console.info(`@subrail/browser weighs ${weight.toFixed(1)} kB of ${BROWSER_CEILING}, compressed.`);
  expect(weight).toBeLessThanOrEqual(BROWSER_CEILING);
});

import { buildSync } from 'esbuild';
import { join, relative } from 'node:path';
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
  '.': 585,
  './client': 31,
  './ports': 2,
  './schemas': 170,
  './webhooks': 12,
};

/** Not weighed: the kits are for tests. */
const UNWEIGHED = './testing';

const entries = readManifest(CORE).exports as Readonly<Record<string, string>>;
const weighed = Object.entries(entries).filter(([name]) => name !== UNWEIGHED);

/** The most that each entry point of browser weighs in a page, in kB: minified and compressed. */
const BROWSER_CEILINGS: Readonly<Record<string, number>> = {
  '.': 15.5,
  './elements': 48,
  './react': 48,
  './wallets': 7,
};

/** The most that the page of a checkout weighs with its style, in kB: minified and compressed. */
const CHECKOUT_PAGE_CEILING = 70;

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

const BROWSER = join(ROOT, 'packages/browser');
const inPages = Object.entries(readManifest(BROWSER).exports as Readonly<Record<string, string>>);

/** What a page loads with a module: parts that it imports when they are needed are left out. */
function loadedWith(source: string): Uint8Array {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    splitting: true,
    // A page of React has it.
    external: ['react'],
    outdir: ROOT,
    absWorkingDir: ROOT,
    metafile: true,
  });
  const [entry = ''] = Object.keys(metafile.outputs).filter(
    (name) => metafile.outputs[name]?.entryPoint === relative(ROOT, source),
  );
  const loaded = new Set([entry]);
  for (const name of loaded)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(path);
  return Buffer.concat(
    outputFiles.filter(({ path }) => loaded.has(relative(ROOT, path))).map(({ contents }) => contents),
  );
}

/** How much a browser loads of bytes, in kB. */
const compressed = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length / 1_000;

it('every entry point of browser has a ceiling', () => {
  expect(inPages.map(([name]) => name)).toEqual(Object.keys(BROWSER_CEILINGS));
});

it.each(inPages)('what a page bundles of browser %s weighs no more than its ceiling', (name, source) => {
  const weight = compressed(loadedWith(join(BROWSER, source)));
  const ceiling = BROWSER_CEILINGS[name] ?? 0;
  console.info(`@subrail/browser${name.slice(1)} weighs ${weight.toFixed(1)} kB of ${ceiling}, compressed.`);
  expect(weight).toBeLessThanOrEqual(ceiling);
});

/** The most that a phone loads besides, for the apps of its wallets, in kB: minified and compressed. */
const WALLET_APP_CEILING = 18;

it('the page of a checkout weighs no more than its ceiling', () => {
  const files = ['checkout.ts', 'style.css'].map((name) =>
    bundled(join(ROOT, 'packages/pages/browser', name)),
  );
  const weight = files.reduce((sum, file) => sum + compressed(file), 0);
  console.info(
    `The page of a checkout weighs ${weight.toFixed(1)} kB of ${CHECKOUT_PAGE_CEILING}, compressed.`,
  );
  expect(weight).toBeLessThanOrEqual(CHECKOUT_PAGE_CEILING);
});

it('what a phone loads for the apps of its wallets weighs no more than its ceiling, and nobody else loads it', () => {
  const [app, ...others] = ['wallet-app.ts', 'checkout.ts', 'portal.ts'].map((name) =>
    Buffer.from(bundled(join(ROOT, 'packages/pages/browser', name))),
  );
  const weight = compressed(app ?? new Uint8Array());
  console.info(`The apps of wallets weigh ${weight.toFixed(1)} kB of ${WALLET_APP_CEILING}, compressed.`);
  expect(weight).toBeLessThanOrEqual(WALLET_APP_CEILING);
  expect([app, ...others].map((file) => file?.includes('solana-wallet'))).toEqual([true, false, false]);
});

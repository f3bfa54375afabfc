import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ROOT } from './repository.mjs';

const FOLDER = join(ROOT, 'packages/pages/browser');

/** The module that the pages are served from. An installation writes it; it is never committed. */
export const PAGE_MODULE = join(ROOT, 'packages/pages/src/bundle.ts');

/** The files that the pages load, by the source of each. */
const SOURCES = {
  'checkout.js': 'checkout.ts',
  'dashboard.css': 'dashboard/style.css',
  'dashboard.js': 'dashboard/main.ts',
  'dashboard-wallets.js': 'dashboard/wallets.ts',
  'demo-wallet.js': 'demo-wallet.ts',
  'portal.js': 'portal.ts',
  'style.css': 'style.css',
  'wallet-app.js': 'wallet-app.ts',
};

/** Bundles a file of the pages, with all that it imports. @param {string} file */
function bundled(file) {
  const { outputFiles } = buildSync({
    entryPoints: [join(FOLDER, file)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
    charset: 'utf8',
    legalComments: 'none',
  });
  return outputFiles[0]?.text.trimEnd() ?? '';
}

/** The text of the module, as the sources of the pages make it. */
export function pageModule() {
  const files = Object.entries(SOURCES).map(([name, source]) => {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return [name, { type, text: bundled(source) }];
  });
  const text = JSON.stringify(Object.fromEntries(files));
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `/* Written by "npm run page" from packages/pages/browser. Change it there. */

/** The scripts and the style of the pages, by name. */
export const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = ${text};

/** Differs when a file does. */
export const VERSION = '${version}';
`;
}

/** Writes the module, unless it is what the sources make already: tests may be reading it. */
export async function page() {
  const text = pageModule();
  if (!existsSync(PAGE_MODULE) || readFileSync(PAGE_MODULE, 'utf8') !== text)
    writeFileSync(PAGE_MODULE, text);
}

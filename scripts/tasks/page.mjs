import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ROOT } from './repository.mjs';

const FOLDER = join(ROOT, 'packages/host-node/page');

/** The module that the host serves the cancel page from. An installation writes it; it is never committed. */
export const PAGE_MODULE = join(ROOT, 'packages/host-node/src/http/cancel-page/bundle.ts');

/** Bundles a file of the page, with all that it imports. @param {string} file */
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

/** The text of the module, as the sources of the page make it. */
export function pageModule() {
  return `/* Written by "npm run page" from packages/host-node/page. Change it there. */

/** The script of the cancel page. */
export const SCRIPT = ${JSON.stringify(bundled('main.ts'))};

/** The style of the cancel page. */
export const STYLE = ${JSON.stringify(bundled('style.css'))};
`;
}

export async function page() {
  writeFileSync(PAGE_MODULE, pageModule());
}

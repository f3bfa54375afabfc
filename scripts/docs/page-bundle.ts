import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ROOT } from '../tasks/repository.mjs';

const FOLDER = join(ROOT, 'packages/host-node/page');

/** Bundles one file of the cancel page, with everything that it imports, for browsers of the last years. */
function bundled(file: string): string {
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

/** The module with the script and the style of the cancel page, which the host serves. */
export function pageBundle(): string {
  return `/* Written by "npm run docs" from packages/host-node/page. Change it there. */

/** The script of the cancel page. */
export const SCRIPT = ${JSON.stringify(bundled('main.ts'))};

/** The style of the cancel page. */
export const STYLE = ${JSON.stringify(bundled('style.css'))};
`;
}

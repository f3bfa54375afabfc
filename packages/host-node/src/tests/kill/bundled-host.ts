import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The host as one file. */
export interface BundledHost {
  /** The path, for `startScript`. */
  readonly script: string;
  remove(): void;
}

/**
 * Bundles the host whose clock is ahead. Node starts a bundle with a seventh of the work that the sources
 * take, so a test can start it often.
 */
export function bundleHost(): BundledHost {
  // Node finds the packages there that are left out.
  const folder = mkdtempSync(pathOf('../../../node_modules/.host-'));
  const script = join(folder, 'host.mjs');
  buildSync({
    entryPoints: [pathOf('../children/host-ahead.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3', 'pg-native'],
    // Packages of CommonJS call it.
    banner: {
      js: `import { createRequire as ofBundle } from 'node:module'; const require = ofBundle(import.meta.url);`,
    },
    logLevel: 'error',
  });
  return { script, remove: () => rmSync(folder, { recursive: true }) };
}

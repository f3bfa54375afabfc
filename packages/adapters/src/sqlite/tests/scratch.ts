import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A path for a database file in a new folder, and a function that removes both. */
export function scratchFile(): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-store-'));
  return {
    path: join(folder, 'subrail.db'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

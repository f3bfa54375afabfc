// Gives the packages of this repository, where `pnpm deploy` has put them, the entry points that they are
// published with: in the repository they export their TypeScript sources, which Node does not run. Its
// argument is the folder of the deployed host.

import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './repository.mjs';

const [, , target = ''] = process.argv;

for (const folder of [target, ...packagesIn(join(target, 'node_modules', '.pnpm'))]) {
  const { publishConfig, ...manifest } = readManifest(folder);
  const published = { ...manifest, exports: publishConfig?.exports };
  const file = join(folder, 'package.json');
  // Moved into place, because the file may be a link to the one in the repository.
  writeFileSync(`${file}.new`, `${JSON.stringify(published, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/**
 * The folders of the packages of this repository in pnpm's store of a deployed one.
 * @param {string} store
 */
function packagesIn(store) {
  return readdirSync(store)
    .filter((name) => name.startsWith('@subrail+'))
    .flatMap((name) => {
      const scope = join(store, name, 'node_modules', '@subrail');
      const entries = readdirSync(scope, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map((entry) => join(scope, entry.name));
    });
}

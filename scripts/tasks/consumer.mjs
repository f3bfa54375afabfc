// A consumer of the published packages: their tarballs, unpacked where a project would have them installed,
// next to exactly the packages they declare. What passes here works for a user who does not have this
// repository.

import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from './processes.mjs';
import { readManifest, ROOT, workspaceFolders } from './repository.mjs';

const CACHE = join(ROOT, 'node_modules', '.cache');

/** The folder of the tarballs. */
export const PACKED = join(CACHE, 'packed');
export const CONSUMER = join(CACHE, 'consumer');
const INSTALLED = join(CONSUMER, 'node_modules');

const sources = workspaceFolders().filter((folder) => folder.startsWith('packages/'));

/** Every published package: its source, its tarball, and its folder as the consumer has it installed. */
export const PACKAGES = sources.map((source) => {
  const { name, version } = readManifest(join(ROOT, source));
  const tarball = join(PACKED, `${name.slice(1).replace('/', '-')}-${version}.tgz`);
  return { source, name, tarball, folder: join(INSTALLED, name) };
});

/** Every entry point a consumer may import, by the name it is imported by. */
export function publishedEntryPoints() {
  return PACKAGES.flatMap(({ name, folder }) =>
    Object.keys(readManifest(folder).exports ?? {}).map((path) => `${name}${path.slice(1)}`),
  );
}

/** Removes the tarballs and the consumer of an earlier run. */
export function clearConsumer() {
  for (const folder of [PACKED, CONSUMER]) rmSync(folder, { recursive: true, force: true });
}

/** Makes the consumer: unpacks the tarballs and links the packages that their manifests declare. */
export async function stageConsumer() {
  for (const { tarball, folder } of PACKAGES) {
    mkdirSync(folder, { recursive: true });
    const unpacked = await capture(['tar', '-xzf', tarball, '-C', folder, '--strip-components=1']);
    if (unpacked.code !== 0) return unpacked;
  }
  for (const { source, folder } of PACKAGES) {
    const { dependencies, peerDependencies } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const link = join(INSTALLED, name);
      mkdirSync(dirname(link), { recursive: true });
      if (!existsSync(link))
        symlinkSync(realpathSync(join(ROOT, source, 'node_modules', name)), link, 'junction');
    }
  }
  return { code: 0, output: '' };
}

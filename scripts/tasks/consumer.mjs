// A consumer of the published packages: their tarballs, unpacked where a project would have them installed,
// next to exactly the packages they declare. What passes here works for a user who does not have this
// repository.

import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from './processes.mjs';
import { readManifest, ROOT, workspaceFolders } from './repository.mjs';

/** The folder of the tarballs. */
export const PACKED = join(ROOT, 'node_modules', '.cache', 'packed');

/** The folder of the consumer. */
export const CONSUMER = join(ROOT, 'node_modules', '.cache', 'consumer');

const INSTALLED = join(CONSUMER, 'node_modules');

/** The packed tarballs. */
export function tarballs() {
  return readdirSync(PACKED).map((file) => join(PACKED, file));
}

/** Every published package: its source, and its folder and manifest as the consumer has them installed. */
export function installedPackages() {
  return workspaceFolders()
    .filter((folder) => folder.startsWith('packages/'))
    .map((source) => ({ source, folder: join(INSTALLED, readManifest(join(ROOT, source)).name) }))
    .map(({ source, folder }) => ({ source, folder, manifest: readManifest(folder) }));
}

/** Every entry point a consumer may import, by the name it is imported by. */
export function publishedEntryPoints() {
  return installedPackages().flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {}).map((path) => `${manifest.name}${path.slice(1)}`),
  );
}

/** Removes the tarballs and the consumer of an earlier run. */
export function clearConsumer() {
  rmSync(PACKED, { recursive: true, force: true });
  rmSync(CONSUMER, { recursive: true, force: true });
}

/** Makes the consumer: unpacks the tarballs and links the packages that their manifests declare. */
export async function stageConsumer() {
  for (const file of tarballs()) {
    const folder = join(CONSUMER, 'unpacked');
    mkdirSync(folder, { recursive: true });
    const unpacked = await capture(['tar', '-xzf', file, '-C', folder]);
    if (unpacked.code !== 0) return unpacked;
    const to = join(INSTALLED, readManifest(join(folder, 'package')).name);
    mkdirSync(dirname(to), { recursive: true });
    renameSync(join(folder, 'package'), to);
  }
  for (const { source, manifest } of installedPackages()) {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    for (const name of declared.filter((name) => !existsSync(join(INSTALLED, name)))) {
      mkdirSync(dirname(join(INSTALLED, name)), { recursive: true });
      symlinkSync(realpathSync(join(ROOT, source, 'node_modules', name)), join(INSTALLED, name), 'junction');
    }
  }
  return { code: 0, output: '' };
}

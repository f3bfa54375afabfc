import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ADAPTERS } from '../import-table.mjs';
import { readManifest, ROOT, workspaceFolders } from '../tasks/repository.mjs';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const published = workspaceFolders()
  .map((folder) => ({ folder, manifest: readManifest(join(ROOT, folder)) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => [manifest.name, folder] as const);

it.each(published)(
  '%s has a README with its name, how to install it, and code, and the license',
  (name, folder) => {
    const page = read(`${folder}/README.md`);
    expect(page).toMatch(new RegExp(`^# ${name}\n`));
    expect(page).toMatch(new RegExp(`^npm install (.* )?${name}( .*)?$`, 'm'));
    expect(page).toMatch(/^```ts$/m);
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
  },
);

it.each(published)('%s builds each entry point, and only pnpm packs it', (_, folder) => {
  const { exports = {}, publishConfig, scripts } = readManifest(join(ROOT, folder));
  expect(Object.keys(publishConfig?.exports ?? {}).sort()).toEqual(Object.keys(exports).sort());
  expect(scripts?.['prepack']).toBe('node ../../scripts/tasks/refuse-npm-pack.mjs');
});

it('the README of the adapters lists each sub-path with the peers that it and what it imports need', () => {
  const { peerDependencies = {}, exports = {} } = readManifest(join(ROOT, 'packages/adapters'));
  expect(Object.keys(ADAPTERS).sort()).toEqual(
    Object.keys(exports)
      .map((path) => path.slice(2))
      .sort(),
  );
  const patterns = (peer: string) => [peer, peer.replace(/\/[^/]+$/, '/*')];
  const peersOf = (subPath: string): readonly string[] => {
    const { modules = [], siblings = [] } = ADAPTERS[subPath] ?? {};
    const own = Object.keys(peerDependencies).filter((peer) =>
      patterns(peer).some((pattern) => modules.includes(pattern)),
    );
    return [...new Set([...own, ...siblings.flatMap(peersOf)])].sort();
  };
  const rows = read('packages/adapters/README.md').matchAll(/^\| `([\w-]+)` \|.*\| (.+?) \|$/gm);
  const shown = [...rows].map(
    ([, subPath, cell = '']) =>
      [subPath, [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()] as const,
  );
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(Object.keys(ADAPTERS).map((subPath) => [subPath, peersOf(subPath)])),
  );
});

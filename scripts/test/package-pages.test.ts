import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADAPTERS } from '../import-table.mjs';
import { codeIn } from '../tasks/examples.mjs';
import { readManifest, ROOT, workspaceFolders } from '../tasks/repository.mjs';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const published = workspaceFolders()
  .map((folder) => ({ folder, manifest: readManifest(join(ROOT, folder)) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => [manifest.name, folder] as const);

describe('a published package', () => {
  it.each(published)('%s has a README with its name, how to install it, and code', (name, folder) => {
    const page = read(`${folder}/README.md`);
    expect(page).toMatch(new RegExp(`^# ${name}\n`));
    expect(page).toMatch(new RegExp(`^npm install (.* )?${name}( .*)?$`, 'm'));
    expect(codeIn(page).blocks).not.toEqual([]);
  });

  it.each(published)('%s builds each entry point, and only pnpm packs it', (_, folder) => {
    const { exports = {}, publishConfig, scripts } = readManifest(join(ROOT, folder));
    expect(Object.keys(publishConfig?.exports ?? {}).sort()).toEqual(Object.keys(exports).sort());
    expect(scripts?.['prepack']).toBe('node ../../scripts/tasks/refuse-npm-pack.mjs');
  });

  it.each(published)('%s has the license of the repository', (_, folder) => {
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
  });
});

describe('the README of the adapters', () => {
  const { exports = {}, peerDependencies = {} } = readManifest(join(ROOT, 'packages/adapters'));
  const peers = Object.keys(peerDependencies);
  const rows = new Map(
    [...read('packages/adapters/README.md').matchAll(/^\| `([\w-]+)` \|.*\| (.+?) \|$/gm)].map(
      ([, subPath = '', cell = '']) => [subPath, [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)],
    ),
  );

  /** The peers of a sub-path: those that it imports, and those of the sub-paths that it imports. */
  function peersOf(subPath: string): readonly string[] {
    const { modules, siblings } = ADAPTERS[subPath as keyof typeof ADAPTERS];
    const own = peers.filter((peer) =>
      modules.some((module: string) => module === peer || module === peer.replace(/\/[^/]+$/, '/*')),
    );
    return [...new Set([...own, ...siblings.flatMap(peersOf)])];
  }

  it('lists every sub-path', () => {
    expect([...rows.keys()].sort()).toEqual(
      Object.keys(exports)
        .map((path) => path.slice('./'.length))
        .sort(),
    );
  });

  it.each([...rows.keys()])('lists the peers of %s', (subPath) => {
    expect(rows.get(subPath)?.toSorted()).toEqual(peersOf(subPath).toSorted());
  });
});

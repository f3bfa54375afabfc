// Heavy: npm and pnpm pack a package, in processes of their own.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readManifest, ROOT, workspaceFolders } from '../tasks/repository.mjs';

const PACKAGES = workspaceFolders().filter((folder) => folder.startsWith('packages/'));

let destination: string;
beforeEach(() => {
  destination = mkdtempSync(join(tmpdir(), 'subrail-pack-'));
});
afterEach(() => rmSync(destination, { recursive: true }));

describe('packing a package', () => {
  it('is refused with a sentence when npm does it', () => {
    const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', destination], {
      cwd: join(ROOT, 'packages/localnet'),
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('Only pnpm packs this package so that it can be installed.');
    expect(readdirSync(destination)).toEqual([]);
  });

  it('makes a tarball that exports built files when pnpm does it', () => {
    const { packageManager = '' } = readManifest(ROOT);
    const pack = ['-y', packageManager, 'pack', '--pack-destination', destination];
    execFileSync('npx', pack, { cwd: join(ROOT, 'packages/localnet'), stdio: 'pipe' });
    const [file = ''] = readdirSync(destination);
    execFileSync('tar', ['-xzf', join(destination, file), '-C', destination]);
    const { exports } = readManifest(join(destination, 'package'));
    expect(exports).toEqual({ '.': { types: './dist/index.d.ts', default: './dist/index.js' } });
  });

  it('is guarded in every package', () => {
    const scripts = PACKAGES.map((folder) => [folder, readManifest(join(ROOT, folder)).scripts?.['prepack']]);
    expect(scripts).toEqual(
      PACKAGES.map((folder) => [folder, 'node ../../scripts/tasks/refuse-npm-pack.mjs']),
    );
  });
});

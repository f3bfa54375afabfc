import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withPeers } from './load-adapter.js';

// A folder outside of the repository, where Node finds no package.
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-peers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const importing = (specifier: string) => () => {
  const file = join(folder, 'module.mjs');
  writeFileSync(file, `import '${specifier}';`);
  return import(/* @vite-ignore */ `${pathToFileURL(file).href}?${specifier}`) as Promise<unknown>;
};

it('names the package that is missing, and the command that installs it', async () => {
  await expect(
    withPeers(importing('a-sqlite-driver'), 'A SQLite database', ['a-sqlite-driver', 'kysely']),
  ).rejects.toThrow(
    'A SQLite database needs the package a-sqlite-driver, which is not installed. Run: npm install a-sqlite-driver kysely',
  );
});

it('passes on what is not a missing peer dependency', async () => {
  await expect(withPeers(importing('another-package'), 'It', ['kysely'])).rejects.toThrow(
    /Cannot find package 'another-package'/,
  );
  const fault = new Error('a fault');
  await expect(withPeers(() => Promise.reject(fault), 'It', ['kysely'])).rejects.toBe(fault);
});

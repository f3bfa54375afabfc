// Heavy: dependency-cruiser reads a made-up workspace that has every forbidden import.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, expect, it } from 'vitest';
import config from '../../.dependency-cruiser.mjs';
import { CORE_LAYERS, PACKAGES } from '../import-table.mjs';
import { readManifest, ROOT, workspaceFolders } from '../tasks/repository.mjs';

/** A file, what it imports, of which only a type with `type`, and after `!` what refuses it. */
const CASES = `
packages/core/src/rules/a1.ts zod
packages/core/src/rules/a3.ts fs ! core-no-node
packages/core/src/worker/a5.ts kysely ! core-imports
packages/core/src/rules/a8.test.ts @subrail/adapters/memory ! core-test-imports
packages/core/src/rules/a10.test.ts node:fs
packages/adapters/src/memory/b1.ts kysely ! adapters-memory-imports
packages/adapters/src/memory/b2.ts ../sqlite/index.js ! adapters-memory-imports
packages/adapters/src/sqlite/b3.ts ../kysely/index.js
packages/adapters/src/solana/b5.ts node:crypto ! adapters-solana-no-node
packages/adapters/src/memory/b9.ts ../../../core/src/rules/inside.js ! by-name
packages/browser/src/d1.ts type @subrail/core/schemas
packages/browser/src/d2.ts @subrail/core/schemas ! browser-types-only
packages/browser/src/d3.ts zod ! browser-imports
packages/localnet/src/c3.ts @solana-program/memo ! declared
packages/core/src/contract/e1.ts ../records/inside.js ! core-contract-layer
packages/core/src/rules/e3.ts type ../ports/inside.js
packages/core/src/rules/e4.ts ../ports/inside.js ! core-rules-types-only
packages/core/src/rules/e5.ts type ../worker/inside.js ! core-rules-layer
packages/core/src/helpers/e8.ts ../contract/inside.js ! core-known-layers
packages/core/src/webhooks/receiver/f2.ts ../../contract/inside.js ! core-receiver-alone
packages/core/src/webhooks/f3.ts ./receiver/f2.js ! core-receiver-apart
packages/core/src/rules/tests/g1.ts ../../operations/inside.js
packages/core/src/rules/g2.ts ./a10.test.js ! no-test-in-source
packages/core/src/rules/g4.ts ./g5.js ! no-circular
packages/core/src/rules/g5.ts ./g4.js
examples/shop/h2.ts @subrail/test-world ! examples-use-what-is-published
tests/service/src/h4.test.ts ../../world/src/inside.js ! by-name
`;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'subrail-imports-')));
afterAll(() => rmSync(root, { recursive: true }));

function write(file: string, source: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), source);
}

/** Makes a workspace with the manifests of this repository, in which every dependency is an empty package. */
function makeWorkspace() {
  mkdirSync(join(root, 'node_modules/@subrail'), { recursive: true });
  for (const folder of [...Object.keys(PACKAGES).map((name) => `packages/${name}`), 'tests/world']) {
    const manifest = readManifest(join(ROOT, folder));
    write(`${folder}/package.json`, JSON.stringify(manifest));
    for (const source of Object.values(manifest.exports ?? {})) write(`${folder}/${source}`, 'export {};');
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (name.startsWith('@subrail/')) continue;
      write(`${folder}/node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      write(`${folder}/node_modules/${name}/index.js`, '');
    }
    symlinkSync(join(root, folder), join(root, 'node_modules', manifest.name), 'junction');
  }
  for (const layer of Object.keys(CORE_LAYERS)) write(`packages/core/src/${layer}/inside.ts`, 'export {};');
  write('tests/world/src/inside.ts', 'export {};');
  write('package.json', '{}');
}

it('has a row for each package', () => {
  const folders = workspaceFolders().filter((folder) => folder.startsWith('packages/'));
  expect(
    Object.keys(PACKAGES)
      .map((name) => `packages/${name}`)
      .toSorted(),
  ).toEqual(folders.toSorted());
});

it('refuses what the table does not list, and nothing else', async () => {
  makeWorkspace();
  const cases = CASES.trim()
    .split('\n')
    .map((line) => line.replace(/ ! .*/, ''));
  for (const line of cases) {
    const [, file = '', type = '', name] = /^(\S+) (type )?(\S+)/.exec(line) ?? [];
    write(file, `import ${type && 'type {} from '}'${name}';`);
  }
  const { forbidden = [], options } = config;
  const ruleSet = { ...options, ruleSet: { forbidden }, validate: true, baseDir: root };
  const { output } = await cruise(['packages', 'examples', 'tests'], ruleSet);
  const { violations } = (output as ICruiseResult).summary;
  const shown = cases.map((line) => {
    const refused = violations.filter(({ from }) => line.startsWith(`${from} `)).map(({ rule }) => rule.name);
    return refused.length === 0 ? line : `${line} ! ${refused.join(' ')}`;
  });
  expect(shown).toEqual(CASES.trim().split('\n'));
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { toolCommand } from '../tasks/processes.mjs';
import { ROOT } from '../tasks/repository.mjs';

it('the check of what is unused finds a file, an export, a type and a dependency, and leaves an entry point alone', () => {
  const root = mkdtempSync(join(tmpdir(), 'subrail-unused-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  cpSync(join(ROOT, 'knip.json'), join(root, 'knip.json'));
  write('package.json', '{ "name": "root", "workspaces": ["packages/*"] }');
  write('packages/oak/package.json', '{ "exports": "./src/index.ts", "dependencies": { "bark": "1.0.0" } }');
  write('packages/oak/src/index.ts', "export * from './leaf.js';\nimport './twig.js';\n");
  write('packages/oak/src/leaf.ts', 'export const leaf = 1;\n');
  write('packages/oak/src/twig.ts', 'export const twig = 1;\nexport type Twig = 1;\n');
  write('packages/oak/src/lost.ts', 'export const lost = 1;\n');
  const [node = '', ...args] = toolCommand('knip', [
    '--no-progress',
    '--no-config-hints',
    '--reporter',
    'json',
  ]);
  const { status, stdout } = spawnSync(node, args, { cwd: root, encoding: 'utf8' });
  rmSync(root, { recursive: true });
  expect(status).toBe(1);
  const found = [...stdout.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name);
  expect(found.toSorted()).toEqual(['Twig', 'bark', 'packages/oak/src/lost.ts', 'twig']);
});

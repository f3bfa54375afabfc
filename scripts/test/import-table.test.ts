import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../../.dependency-cruiser.mjs';
import { readManifest, ROOT } from '../tasks/repository.mjs';

/** One file of an imagined workspace: what it says, and which rules must refuse it (none: it must pass). */
type Case = readonly [name: string, file: string, source: string, refusedBy: readonly string[]];

const CASES: readonly Case[] = [
  ['core may import zod', 'core/src/rules/a1.ts', "import 'zod';", []],
  [
    'core may import the types of Standard Schema',
    'core/src/contract/a2.ts',
    "import '@standard-schema/spec';",
    [],
  ],
  ['core may not import a module of Node', 'core/src/rules/b1.ts', "import 'node:fs';", ['core-no-node']],
  [
    'core may not import a module of Node by its old name',
    'core/src/rules/b2.ts',
    "import 'fs';",
    ['core-no-node'],
  ],
  [
    'core may not even name the types of Node',
    'core/src/rules/b3.ts',
    "import type { Stats } from 'node:fs';\nexport type A = Stats;",
    ['core-no-node'],
  ],
  ['core may not import Solana', 'core/src/engine/b4.ts', "import '@solana/kit';", ['core-imports']],
  ['core may not import SQL', 'core/src/engine/b5.ts', "import 'kysely';", ['core-imports']],
  ['core may not import SQLite', 'core/src/engine/b6.ts', "import 'better-sqlite3';", ['core-imports']],
  ['core may not import Postgres', 'core/src/engine/b7.ts', "import 'pg';", ['core-imports']],
  ['core may not import the ledger', 'core/src/engine/b8.ts', "import 'litesvm';", ['core-imports']],
  [
    'core may not import on demand what it may not import',
    'core/src/engine/b9.ts',
    "void import('pg');",
    ['core-imports'],
  ],
  [
    'the kits core exports for tests obey the same table',
    'core/src/testing/b10.ts',
    "import 'vitest';",
    ['core-imports'],
  ],
  [
    'core may not import an adapter',
    'core/src/engine/b11.ts',
    "import '@subrail/adapters/memory';",
    ['core-imports'],
  ],
  [
    "core's tests may not import an adapter",
    'core/test/b12.test.ts',
    "import '@subrail/adapters/memory';",
    ['core-test-imports'],
  ],

  [
    'who takes the memory store installs no SQL',
    'adapters/src/memory/d4.ts',
    "import 'kysely';",
    ['adapters-memory-imports'],
  ],
  [
    'who takes the memory store loads no other adapter',
    'adapters/src/memory/d5.ts',
    "import '../sqlite/index.js';",
    ['adapters-memory-imports'],
  ],
  ['SQLite stands on the SQL store', 'adapters/src/sqlite/d6.ts', "import '../kysely/index.js';", []],
  [
    'the Solana adapter runs in a browser too',
    'adapters/src/solana/d7.ts',
    "import 'node:crypto';",
    ['adapters-solana-no-node'],
  ],
  ['adapters may import core', 'adapters/src/memory/c1.ts', "import '@subrail/core';", []],
  [
    'adapters may import their drivers and Node',
    'adapters/src/sqlite/c2.ts',
    "import 'better-sqlite3';\nimport 'node:fs';",
    [],
  ],
  [
    "adapters' tests may import the local chain",
    'adapters/test/c3.test.ts',
    "import '@subrail/localnet';",
    [],
  ],
  [
    'adapters may not run on the local chain',
    'adapters/src/d1.ts',
    "import '@subrail/localnet';",
    ['adapters-imports'],
  ],
  [
    'adapters may not import the host',
    'adapters/src/d2.ts',
    "import '@subrail/host-node';",
    ['adapters-imports'],
  ],
  [
    'adapters may not import the logger of the host',
    'adapters/src/d3.ts',
    "import 'pino';",
    ['adapters-imports'],
  ],

  ['localnet may import the ledger', 'localnet/src/e1.ts', "import 'litesvm';", []],
  ['localnet may not import core', 'localnet/src/f1.ts', "import '@subrail/core';", ['localnet-imports']],
  [
    "localnet's tests may not import core",
    'localnet/test/f2.test.ts',
    "import '@subrail/core';",
    ['localnet-test-imports'],
  ],

  [
    'the host may import every package',
    'host-node/src/g1.ts',
    "import '@subrail/core';\nimport '@subrail/localnet';",
    [],
  ],
  [
    'the host may not import what its row does not list',
    'host-node/src/h1.ts',
    "import 'express';",
    ['host-node-imports'],
  ],

  [
    'another package is not imported by a path into its folder',
    'adapters/src/memory/i1.ts',
    "import '../../../core/src/index.js';",
    ['by-name'],
  ],
  [
    "another package's inside is not imported at all",
    'adapters/src/memory/i2.ts',
    "import '../../../core/src/rules/inside.js';",
    ['by-name', 'core-entry-points'],
  ],
  [
    'what a package runs on is not left to its development dependencies',
    'localnet/src/i3.ts',
    "import '@solana-program/memo';",
    ['declared'],
  ],
  [
    'its tests may use a development dependency',
    'localnet/test/i4.test.ts',
    "import '@solana-program/memo';",
    [],
  ],
  ['an example may import entry points', '../examples/shop/ok.ts', "import '@subrail/core';", []],
  [
    'an example may not import the inside of a package',
    '../examples/shop/no.ts',
    "import '../../packages/core/src/rules/inside.js';",
    ['by-name', 'core-entry-points'],
  ],

  [
    'the contract stands on nothing',
    'core/src/contract/j1.ts',
    "import '../records/inside.js';",
    ['core-contract-layer'],
  ],
  ['rules may use records and the contract', 'core/src/rules/j2.ts', "import '../records/inside.js';", []],
  [
    'rules may name the types of ports',
    'core/src/rules/j3.ts',
    "import type {} from '../ports/inside.js';",
    [],
  ],
  [
    'rules may use nothing of a port',
    'core/src/rules/j4.ts',
    "import '../ports/inside.js';",
    ['core-rules-types-only'],
  ],
  [
    'rules know no operation',
    'core/src/rules/j5.ts',
    "import '../operations/inside.js';",
    ['core-rules-layer'],
  ],
  [
    'rules know no engine, not even its types',
    'core/src/rules/j6.ts',
    "import type {} from '../engine/inside.js';",
    ['core-rules-layer'],
  ],
  ['ports know no rule', 'core/src/ports/j7.ts', "import '../rules/inside.js';", ['core-ports-layer']],
  [
    'operations may use rules and ports',
    'core/src/operations/j8.ts',
    "import '../rules/inside.js';\nimport '../ports/inside.js';",
    [],
  ],
  [
    'operations know no HTTP',
    'core/src/operations/j9.ts',
    "import '../http/inside.js';",
    ['core-operations-layer'],
  ],
  [
    'the service does not run on what it exports for tests',
    'core/src/engine/j10.ts',
    "import '../testing/inside.js';",
    ['core-engine-layer'],
  ],

  ['two files may not import each other', 'core/src/rules/k1.ts', "import './k2.js';", ['no-circular']],
  ['which is told once', 'core/src/rules/k2.ts', "import './k1.js';", []],
];

const LAYERS = [
  'contract',
  'records',
  'ports',
  'rules',
  'operations',
  'engine',
  'webhooks',
  'http',
  'testing',
];

/** Writes a workspace with this repository's manifests, every dependency they name present but empty. */
function writeWorkspace(root: string) {
  const write = (file: string, source: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  };
  const folders = ['core', 'adapters', 'localnet', 'host-node'];
  for (const folder of folders) {
    const manifest = readManifest(join(ROOT, 'packages', folder));
    write(`packages/${folder}/package.json`, JSON.stringify(manifest));
    for (const source of Object.values(manifest.exports ?? {}))
      write(`packages/${folder}/${source}`, 'export {};');
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (name.startsWith('@subrail/')) continue;
      write(
        `packages/${folder}/node_modules/${name}/package.json`,
        JSON.stringify({ name, main: 'index.js' }),
      );
      write(`packages/${folder}/node_modules/${name}/index.js`, '');
    }
  }
  for (const layer of LAYERS) write(`packages/core/src/${layer}/inside.ts`, 'export {};');
  for (const folder of folders) {
    mkdirSync(join(root, 'node_modules/@subrail'), { recursive: true });
    symlinkSync(join(root, 'packages', folder), join(root, 'node_modules/@subrail', folder), 'junction');
  }
  for (const [, file, source] of CASES) write(join('packages', file), source);
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
}

describe('the import table (architecture, sections 1 and 2)', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'subrail-imports-')));
  let refusals: Map<string, string[]>;

  beforeAll(async () => {
    writeWorkspace(root);
    const { forbidden = [], options } = config;
    const { output } = await cruise(['packages', 'examples'], {
      ...options,
      ruleSet: { forbidden },
      validate: true,
      baseDir: root,
    });
    refusals = new Map(CASES.map(([, file]) => [join('packages', file), []]));
    for (const { from, rule } of (output as ICruiseResult).summary.violations)
      refusals.get(from)?.push(rule.name);
  });

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  it.each(CASES)('%s', (_name, file, _source, refusedBy) => {
    expect(refusals.get(join('packages', file))?.sort()).toEqual([...refusedBy].sort());
  });
});

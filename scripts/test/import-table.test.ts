// Heavy: dependency-cruiser reads a made-up workspace that has every forbidden import.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../../.dependency-cruiser.mjs';
import { CORE_LAYERS } from '../import-table.mjs';
import { readManifest, ROOT } from '../tasks/repository.mjs';

/** One file of a made-up workspace: its source, and the rules that must refuse it (none when it must pass). */
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
    'core may not import a module of Node by its name without node:',
    'core/src/rules/b2.ts',
    "import 'fs';",
    ['core-no-node'],
  ],
  [
    'core may not import the types of Node',
    'core/src/rules/b3.ts',
    "import type { Stats } from 'node:fs';\nexport type A = Stats;",
    ['core-no-node'],
  ],
  ['core may not import Solana', 'core/src/worker/b4.ts', "import '@solana/kit';", ['core-imports']],
  ['core may not import SQL', 'core/src/worker/b5.ts', "import 'kysely';", ['core-imports']],
  ['core may not import SQLite', 'core/src/worker/b6.ts', "import 'better-sqlite3';", ['core-imports']],
  ['core may not import Postgres', 'core/src/worker/b7.ts', "import 'pg';", ['core-imports']],
  ['core may not import LiteSVM', 'core/src/worker/b8.ts', "import 'litesvm';", ['core-imports']],
  [
    'core may not import on demand what it may not import at the top',
    'core/src/worker/b9.ts',
    "void import('pg');",
    ['core-imports'],
  ],
  [
    'the conformance kits of core may not import what core may not',
    'core/src/testing/b10.ts',
    "import 'vitest';",
    ['core-imports'],
  ],
  [
    'core may not import an adapter',
    'core/src/worker/b11.ts',
    "import '@subrail/adapters/memory';",
    ['core-imports'],
  ],
  [
    "core's tests may not import an adapter",
    'core/src/rules/b12.test.ts',
    "import '@subrail/adapters/memory';",
    ['core-test-imports'],
  ],

  [
    'the memory store may not import the query builder',
    'adapters/src/memory/d4.ts',
    "import 'kysely';",
    ['adapters-memory-imports'],
  ],
  [
    'the memory store may not import another adapter',
    'adapters/src/memory/d5.ts',
    "import '../sqlite/index.js';",
    ['adapters-memory-imports'],
  ],
  [
    'the SQLite store may import the SQL store',
    'adapters/src/sqlite/d6.ts',
    "import '../kysely/index.js';",
    [],
  ],
  [
    'the Solana adapter may not import Node, so that it runs in a browser',
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
    'adapters/src/memory/c3.test.ts',
    "import '@subrail/localnet';",
    [],
  ],
  [
    'adapters may not import the local chain outside their tests',
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

  ['localnet may import LiteSVM', 'localnet/src/e1.ts', "import 'litesvm';", []],
  ['localnet may not import core', 'localnet/src/f1.ts', "import '@subrail/core';", ['localnet-imports']],
  [
    "localnet's tests may not import core",
    'localnet/src/tests/f2.ts',
    "import '@subrail/core';",
    ['localnet-test-imports'],
  ],

  [
    'the package for the tests of apps may import core, the adapters and the local chain',
    'testing/src/o1.ts',
    "import '@subrail/core';\nimport '@subrail/adapters/memory';\nimport '@subrail/localnet';",
    [],
  ],
  [
    'the package for the tests of apps may not import the host',
    'testing/src/o2.ts',
    "import '@subrail/host-node';",
    ['testing-imports'],
  ],
  [
    'a package may not import the package for the tests of apps',
    'adapters/src/memory/o3.ts',
    "import '@subrail/testing';",
    ['adapters-imports', 'adapters-memory-imports'],
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
    'a package may not import another by a path into its folder',
    'adapters/src/memory/i1.ts',
    "import '../../../core/src/index.js';",
    ['by-name'],
  ],
  [
    'a package may not import a file of another that is not an entry point',
    'adapters/src/memory/i2.ts',
    "import '../../../core/src/rules/inside.js';",
    ['by-name', 'core-entry-points'],
  ],
  [
    'a source may not import a development dependency',
    'localnet/src/i3.ts',
    "import '@solana-program/memo';",
    ['declared'],
  ],
  [
    'a test may import a development dependency',
    'localnet/src/runtime/tests/i4.test.ts',
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
    'the contract may not import another layer',
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
    'rules may not use a port beyond its types',
    'core/src/rules/j4.ts',
    "import '../ports/inside.js';",
    ['core-rules-types-only'],
  ],
  [
    'rules may not import an operation',
    'core/src/rules/j5.ts',
    "import '../operations/inside.js';",
    ['core-rules-layer'],
  ],
  [
    'rules may not import the worker, not even its types',
    'core/src/rules/j6.ts',
    "import type {} from '../worker/inside.js';",
    ['core-rules-layer'],
  ],
  [
    'ports may not import a rule',
    'core/src/ports/j7.ts',
    "import '../rules/inside.js';",
    ['core-ports-layer'],
  ],
  [
    'operations may use rules and ports',
    'core/src/operations/j8.ts',
    "import '../rules/inside.js';\nimport '../ports/inside.js';",
    [],
  ],
  [
    'operations may not import the HTTP layer',
    'core/src/operations/j9.ts',
    "import '../http/inside.js';",
    ['core-operations-layer'],
  ],
  [
    'the worker may not import what core exports for tests',
    'core/src/worker/j10.ts',
    "import '../testing/inside.js';",
    ['core-worker-layer'],
  ],
  [
    'wire may use records and rules',
    'core/src/wire/l1.ts',
    "import '../records/inside.js';\nimport '../rules/inside.js';",
    [],
  ],
  [
    'wire may name the types of the service',
    'core/src/wire/l2.ts',
    "import type {} from '../service.js';",
    [],
  ],
  [
    'wire may not use a port beyond its types',
    'core/src/wire/l3.ts',
    "import '../ports/inside.js';",
    ['core-wire-types-only'],
  ],
  [
    'wire may not import an operation, not even its types',
    'core/src/wire/l4.ts',
    "import type {} from '../operations/inside.js';",
    ['core-wire-layer'],
  ],
  [
    'transitions may use rules and wire objects',
    'core/src/transitions/l5.ts',
    "import '../rules/inside.js';\nimport '../wire/inside.js';",
    [],
  ],
  [
    'transitions may not import a port, not even its types',
    'core/src/transitions/l6.ts',
    "import type {} from '../ports/inside.js';",
    ['core-transitions-layer'],
  ],
  [
    'commits may use transitions, webhooks and ports',
    'core/src/commits/l7.ts',
    "import '../transitions/inside.js';\nimport '../webhooks/inside.js';\nimport '../ports/inside.js';",
    [],
  ],
  [
    'commits may not import a settlement',
    'core/src/commits/l8.ts',
    "import '../settlement/inside.js';",
    ['core-commits-layer'],
  ],
  ['settlement may use commits', 'core/src/settlement/l9.ts', "import '../commits/inside.js';", []],
  [
    'settlement may not import the worker',
    'core/src/settlement/l10.ts',
    "import '../worker/inside.js';",
    ['core-settlement-layer'],
  ],
  [
    'the worker may use settlement and commits',
    'core/src/worker/l11.ts',
    "import '../settlement/inside.js';\nimport '../commits/inside.js';",
    [],
  ],
  [
    'the worker may not import an operation',
    'core/src/worker/l12.ts',
    "import '../operations/inside.js';",
    ['core-worker-layer'],
  ],
  [
    'operations may not import the worker, not even its types',
    'core/src/operations/l13.ts',
    "import type {} from '../worker/inside.js';",
    ['core-operations-layer'],
  ],
  [
    'the HTTP layer may not import a commit',
    'core/src/http/l14.ts',
    "import '../commits/inside.js';",
    ['core-http-layer'],
  ],
  [
    'the client may use the contract, and name the types of operations',
    'core/src/client/l16.ts',
    "import '../contract/inside.js';\nimport type {} from '../operations/inside.js';",
    [],
  ],
  [
    'the client may not use an operation beyond its types, because its bundle must not contain the service',
    'core/src/client/l17.ts',
    "import '../operations/inside.js';",
    ['core-client-types-only'],
  ],
  [
    'an operation may not import the client, which uses the network without a port',
    'core/src/operations/l18.ts',
    "import '../client/inside.js';",
    ['core-operations-layer'],
  ],
  [
    'a folder that the table does not list is refused',
    'core/src/helpers/l15.ts',
    "import '../contract/inside.js';",
    ['core-known-layers'],
  ],

  [
    'what receives webhooks may use signatures, and name types of the contract and of zod',
    'core/src/webhooks/receiver/o1.ts',
    "import '../signing.js';\nimport type {} from '../../contract/inside.js';\nimport type {} from 'zod';",
    [],
  ],
  [
    'what receives webhooks may not use the contract or zod beyond their types',
    'core/src/webhooks/receiver/o2.ts',
    "import '../../contract/inside.js';\nimport 'zod';",
    ['core-receiver-alone', 'core-receiver-alone'],
  ],
  [
    'what receives webhooks may not bring in more through signatures',
    'core/src/webhooks/signing.ts',
    "import '../rules/inside.js';",
    ['core-receiver-alone'],
  ],
  [
    'the service may not import what receives webhooks',
    'core/src/webhooks/o3.ts',
    "import './receiver/o1.js';",
    ['core-receiver-apart'],
  ],

  [
    'a test may import any layer of its package',
    'core/src/rules/tests/m1.ts',
    "import '../../testing/inside.js';\nimport '../../operations/inside.js';",
    [],
  ],
  ['a test may import Node', 'core/src/rules/m2.test.ts', "import 'node:fs';", []],
  [
    'a source may not import a test file',
    'core/src/rules/m3.ts',
    "import './m2.test.js';",
    ['no-test-in-source'],
  ],
  [
    'a source may not import from a folder of tests',
    'core/src/rules/m4.ts',
    "import './tests/m1.js';",
    ['no-test-in-source'],
  ],
  [
    'a test of a package may not import a private test package',
    'core/src/rules/m5.test.ts',
    "import '@subrail/test-world';",
    ['core-test-imports'],
  ],
  [
    'a source may not import a private test package',
    'host-node/src/m6.ts',
    "import '@subrail/test-world';",
    ['host-node-imports'],
  ],
  [
    'a test package may import entry points',
    '../tests/service/src/n1.test.ts',
    "import '@subrail/core';\nimport '@subrail/test-world';",
    [],
  ],
  [
    'a test package may not import the inside of a package',
    '../tests/service/src/n2.test.ts',
    "import '../../../packages/core/src/rules/inside.js';",
    ['by-name', 'core-entry-points'],
  ],
  [
    'a test package may not import the inside of another test package',
    '../tests/service/src/n3.test.ts',
    "import '../../world/src/inside.js';",
    ['by-name', 'world-entry-points'],
  ],
  [
    'an example may not import a private test package',
    '../examples/shop/private.ts',
    "import '@subrail/test-world';",
    ['examples-use-what-is-published'],
  ],

  ['two files may not import each other', 'core/src/rules/k1.ts', "import './k2.js';", ['no-circular']],
  ['a cycle of imports is reported once', 'core/src/rules/k2.ts', "import './k1.js';", []],
];

/** The members of this repository whose manifests the workspace has. */
const FOLDERS = [
  'packages/core',
  'packages/adapters',
  'packages/localnet',
  'packages/testing',
  'packages/host-node',
  'tests/world',
];

/** Writes a workspace with the manifests of this repository, in which every dependency is an empty package. */
function writeWorkspace(root: string) {
  const write = (file: string, source: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  };
  for (const folder of FOLDERS) {
    const manifest = readManifest(join(ROOT, folder));
    write(`${folder}/package.json`, JSON.stringify(manifest));
    for (const source of Object.values(manifest.exports ?? {})) write(`${folder}/${source}`, 'export {};');
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (name.startsWith('@subrail/')) continue;
      write(`${folder}/node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      write(`${folder}/node_modules/${name}/index.js`, '');
    }
    mkdirSync(join(root, 'node_modules/@subrail'), { recursive: true });
    symlinkSync(join(root, folder), join(root, 'node_modules', manifest.name), 'junction');
  }
  for (const layer of Object.keys(CORE_LAYERS)) {
    const single = ['service', 'billing', 'index'].includes(layer);
    write(`packages/core/src/${single ? layer : `${layer}/inside`}.ts`, 'export {};');
  }
  write('tests/world/src/inside.ts', 'export {};');
  for (const [, file, source] of CASES) write(join('packages', file), source);
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
}

describe('the import table of docs/architecture.md', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'subrail-imports-')));
  let refusals: Map<string, string[]>;

  beforeAll(async () => {
    writeWorkspace(root);
    const { forbidden = [], options } = config;
    const { output } = await cruise(['packages', 'examples', 'tests'], {
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

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolCommand } from '../tasks/processes.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** The rules that refuse each piece of code, by the file that it was written into. */
let refusals: ReadonlyMap<string, readonly string[]>;

/** What is written into which file, before all of it is linted at once. */
const written = new Map<string, string>();
let folder: string;

/**
 * Plans a file with a piece of code, and returns what tells the rules that refuse it.
 * @param file a path from the root in which `example` stands for a name of its own
 */
function lint(code: string, file: string): () => readonly string[] {
  const path = file.replace(/example(?=[^/]*$)/, `example-${written.size}`);
  written.set(path, code);
  return () => refusals.get(path) ?? [];
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-lint-'));
  for (const name of ['oxlint.config.mjs', 'scripts/lint', 'scripts/import-table.mjs', 'tsconfig.base.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    '{ "extends": "./tsconfig.base.json", "compilerOptions": { "types": ["node"] }, "include": ["*/*/*"] }',
  );
  for (const [path, code] of written) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  const [node = '', ...args] = toolCommand('oxlint', [
    '-c',
    'oxlint.config.mjs',
    '-f',
    'json',
    ...written.keys(),
  ]);
  const { stdout, stderr } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { filename: string; code: string }[];
  };
  refusals = new Map(
    [...written.keys()].map((path) => [
      path,
      diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code),
    ]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Plans a line in a file of core; tells the bans that refuse it. */
const bans = (line: string, file: string) => {
  const refused = lint(`${line}\n`, `packages/core/src/${file}`);
  return () => refused().flatMap((code) => /^[\w-]+\((no-restricted-\w+)\)$/.exec(code)?.[1] ?? []);
};

/** A row for each line, with the bans that refuse it in a file of core. */
const refusedIn = (file: string, lines: readonly (readonly [line: string, rule: string])[]) =>
  lines.map(([line, rule]) => ({ line, rule, refused: bans(line, file) }));

const passingIn = (file: string, lines: readonly string[]) =>
  lines.map((line) => ({ line, refused: bans(line, file) }));

describe('core uses time, randomness and the network through ports only', () => {
  it.each(
    refusedIn('operations/example.ts', [
      ['export const now = Date.now();', 'no-restricted-properties'],
      ["export const now = Date['now']();", 'no-restricted-properties'],
      ['const { now } = Date; export { now };', 'no-restricted-properties'],
      ['export const now = new Date();', 'no-restricted-syntax'],
      ['export const now = Date();', 'no-restricted-syntax'],
      ['const Clock = Date; export const now = new Clock(0);', 'no-restricted-syntax'],
      ['export const local = new Date(2026, 0, 1);', 'no-restricted-syntax'],
      ['export const month = (at: Date) => at.getMonth();', 'no-restricted-syntax'],
      ['export const shown = (at: Date) => at.toLocaleString();', 'no-restricted-syntax'],
      ['setTimeout(() => {}, 1);', 'no-restricted-globals'],
      ['setInterval(() => {}, 1);', 'no-restricted-globals'],
      ['setImmediate(() => {});', 'no-restricted-globals'],
      ['queueMicrotask(() => {});', 'no-restricted-globals'],
      ['export const at = performance.now();', 'no-restricted-globals'],
      ['export const soon = AbortSignal.timeout(1);', 'no-restricted-properties'],
      ["export const answer = fetch('https://example.com');", 'no-restricted-globals'],
      ['export const dice = Math.random();', 'no-restricted-properties'],
      ['export const id = crypto.randomUUID();', 'no-restricted-globals'],
      ['export const id = globalThis.crypto.randomUUID();', 'no-restricted-globals'],
      ['export const home = process.env.HOME;', 'no-restricted-globals'],
      ["export const bytes = Buffer.from('a');", 'no-restricted-globals'],
      ["console.log('charged');", 'no-restricted-globals'],
      ["import 'node:fs';", 'no-restricted-imports'],
      ["import 'fs';", 'no-restricted-imports'],
      ["export { sign } from 'node:crypto';", 'no-restricted-imports'],
      ["import type { Address } from '@solana/kit'; export type A = Address;", 'no-restricted-imports'],
      ["import 'kysely';", 'no-restricted-imports'],
      ["import 'better-sqlite3';", 'no-restricted-imports'],
      ["import 'pg';", 'no-restricted-imports'],
      ["import 'litesvm';", 'no-restricted-imports'],
      ["import '@subrail/adapters/memory';", 'no-restricted-imports'],
      ["import 'zod-to-json-schema';", 'no-restricted-imports'],
      ["export const fs = import('node:fs');", 'no-restricted-syntax'],
    ]),
  )('$line is refused', ({ refused, rule }) => {
    expect(refused()).toContain(rule);
  });

  it.each(
    passingIn('operations/example.ts', [
      "import * as z from 'zod'; export const schema = z.string();",
      "import type { StandardSchemaV1 } from '@standard-schema/spec'; export type A = StandardSchemaV1;",
      "import type { Clock } from '../ports/index.js'; export const now = (clock: Clock) => clock.now();",
      'export const later = (at: Date) => new Date(at.getTime() + 1);',
      'export const start = new Date(Date.UTC(2026, 0, 1));',
      'export const month = (at: Date) => at.getUTCMonth();',
      'export async function operation() {}',
    ]),
  )('$line passes', ({ refused }) => {
    expect(refused()).toEqual([]);
  });

  it.each(
    ['rules/example.ts', 'transitions/example.ts'].flatMap((file) =>
      refusedIn(
        file,
        [
          'export async function rule() {}',
          'export const rule = async () => {};',
          'export const rule = (): Promise<number> => Promise.resolve(1);',
          // The bans of core hold there too.
          'export const now = new Date();',
        ].map((line) => [line, 'no-restricted-syntax'] as const),
      ),
    ),
  )('$line is refused in rules and transitions, which are synchronous and pure', ({ refused, rule }) => {
    expect(refused()).toContain(rule);
  });

  it.each(refusedIn('rules/example.ts', [['export const now = Date.now();', 'no-restricted-properties']]))(
    '$line is refused in rules too',
    ({ refused, rule }) => {
      expect(refused()).toEqual([rule]);
    },
  );

  it.each(
    ['export const now = Date.now();', 'export const { subtle } = crypto;'].map((line) => ({
      line,
      receiver: bans(line, 'webhooks/receiver/example.ts'),
      sender: bans(line, 'webhooks/example.ts'),
    })),
  )('$line passes only in what receives webhooks, which runs at the receiver', ({ receiver, sender }) => {
    expect(receiver()).toEqual([]);
    expect(sender()).toHaveLength(1);
  });

  it.each(
    refusedIn('webhooks/receiver/example.ts', [
      ["export const answer = fetch('https://example.com');", 'no-restricted-globals'],
      ['export const dice = Math.random();', 'no-restricted-properties'],
      ['export const now = new Date();', 'no-restricted-syntax'],
      ["import 'node:crypto';", 'no-restricted-imports'],
    ]),
  )('$line is refused in what receives webhooks', ({ refused, rule }) => {
    expect(refused()).toEqual([rule]);
  });

  it.each(passingIn('testing/example.ts', ['export const now = Date.now();']))(
    '$line passes in what core exports for tests',
    ({ refused }) => {
      expect(refused()).toEqual([]);
    },
  );

  it.each(refusedIn('testing/example.ts', [["import 'vitest';", 'no-restricted-imports']]))(
    '$line is refused there, as in all of core',
    ({ refused, rule }) => {
      expect(refused()).toEqual([rule]);
    },
  );

  it.each(
    passingIn('client/example.ts', [
      'export const end = setTimeout(() => {}, 1);',
      "export const answer = fetch('https://example.com');",
      'export const dice = Math.random();',
    ]),
  )('$line passes in the client, which runs at the caller', ({ refused }) => {
    expect(refused()).toEqual([]);
  });

  it.each(
    refusedIn('client/example.ts', [
      ['export const now = Date.now();', 'no-restricted-properties'],
      ['export const now = new Date();', 'no-restricted-syntax'],
      ['export const soon = AbortSignal.timeout(1);', 'no-restricted-properties'],
      ['setInterval(() => {}, 1);', 'no-restricted-globals'],
      ['export const id = crypto.randomUUID();', 'no-restricted-globals'],
      ['export const home = process.env.HOME;', 'no-restricted-globals'],
      ["import 'node:fs';", 'no-restricted-imports'],
    ]),
  )('$line is refused in the client too', ({ refused, rule }) => {
    expect(refused()).toContain(rule);
  });

  const inTests =
    "import { readFile } from 'node:fs/promises'; export const at = async () => [new Date(), readFile];";
  it.each(
    ['operations/example.test.ts', 'operations/tests/example.ts', 'rules/tests/example.test.ts'].map(
      (file) => ({
        file,
        refused: bans(inTests, file),
      }),
    ),
  )('the bans do not apply to the test file $file', ({ refused }) => {
    expect(refused()).toEqual([]);
  });
});

describe('a source has at most 400 lines', () => {
  it.each(
    (
      [
        ['core/src/rules/example.ts', true],
        ['adapters/src/memory/example.ts', true],
        ['core/src/rules/example.test.ts', false],
        ['core/src/http/tests/example.ts', false],
      ] as const
    ).map(([file, limited]) => ({
      file,
      limited,
      refused: lint('export {};\n'.repeat(401), `packages/${file}`),
    })),
  )('$file: $limited', ({ limited, refused }) => {
    expect(refused().includes('eslint(max-lines)')).toBe(limited);
  });
});

describe('every test runs', () => {
  it.each(
    [
      ...['only', 'skip', 'todo', 'fails'].map((modifier) => `it.${modifier}('charges', () => {});`),
      ...['skipIf', 'runIf'].map((modifier) => `describe.${modifier}(true)('charges', () => {});`),
      "it.skip.each([1])('charges %i', () => {});",
      "it.only.for([1])('charges %i', () => {});",
      "test.concurrent.skip('charges', () => {});",
      "it('charges', { skip: true }, () => {});",
      "it('charges', ({ skip }) => skip());",
      "it('charges', (context) => context.skip());",
    ].map((line) => ({ line, refused: bans(line, 'rules/example.test.ts') })),
  )('$line is refused', ({ refused }) => {
    expect(refused()).toEqual(['no-restricted-syntax']);
  });

  it.each(
    [
      'packages/core/src/http/tests/example.test.ts',
      'packages/host-node/bench/example.ts',
      'examples/embed/src/tests/example.test.ts',
      'tests/service/src/example.test.ts',
      'scripts/test/example.test.ts',
    ].map((file) => ({ file, refused: lint("it.only('charges', () => {});\n", file) })),
  )('it.only is refused in $file', ({ refused }) => {
    expect(refused()).toContain('eslint-js(no-restricted-syntax)');
  });
});

describe('the linter knows types', () => {
  it.each(
    (
      [
        ['typescript(no-floating-promises)', 'Promise.resolve(1);'],
        ['typescript(no-misused-promises)', '[1].forEach(async () => {});'],
        ['typescript(await-thenable)', 'await 1;'],
        [
          'typescript(switch-exhaustiveness-check)',
          "export const f = (a: 'b' | 'c') => { switch (a) { case 'b': return 1; } return 2; };",
        ],
        ['typescript(no-explicit-any)', 'export const a = (b: any) => String(b);'],
        ['typescript(no-unsafe-return)', "export const a = (): number => JSON.parse('1');"],
        ['typescript(no-non-null-assertion)', 'export const a = (b: number | null) => b!;'],
        ['typescript(no-unnecessary-condition)', 'export const a = (b: number) => b ?? 1;'],
        ['typescript(consistent-type-imports)', "import { A } from './a.js'; export type B = A;"],
      ] as const
    ).flatMap(([rule, code]) =>
      ['core/src/example.ts', 'localnet/src/example.ts', 'adapters/src/example.test.ts'].map((file) => ({
        rule,
        file,
        refused: lint(`${code}\nexport {};\n`, `packages/${file}`),
      })),
    ),
  )('$rule is refused in $file', ({ rule, refused }) => {
    expect(refused()).toContain(rule);
  });
});

import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

/** A linter without types: the bans read syntax only, so a snippet that belongs to no program can be linted. */
const linter = new ESLint({
  cwd: ROOT,
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { languageOptions: { parserOptions: { projectService: false } } },
  ],
});

/** The bans that refuse a line in a file of core. */
async function refusalsOf(line: string, file: string): Promise<string[]> {
  const [result] = await linter.lintText(`${line}\n`, { filePath: `packages/core/src/${file}` });
  expect(result?.fatalErrorCount).toBe(0);
  return (result?.messages ?? [])
    .map(({ ruleId }) => ruleId ?? '')
    .filter((ruleId) => ruleId.startsWith('no-restricted-'));
}

describe('core uses time, randomness and the network through ports only', () => {
  it.each([
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
  ])('%s is refused', async (line, rule) => {
    expect(await refusalsOf(line, 'operations/example.ts')).toContain(rule);
  });

  it.each([
    "import { z } from 'zod'; export const schema = z.string();",
    "import type { StandardSchemaV1 } from '@standard-schema/spec'; export type A = StandardSchemaV1;",
    "import type { Clock } from '../ports/index.js'; export const now = (clock: Clock) => clock.now();",
    'export const later = (at: Date) => new Date(at.getTime() + 1);',
    'export const start = new Date(Date.UTC(2026, 0, 1));',
    'export const month = (at: Date) => at.getUTCMonth();',
  ])('%s passes', async (line) => {
    expect(await refusalsOf(line, 'operations/example.ts')).toEqual([]);
  });

  it.each([
    'export async function rule() {}',
    'export const rule = async () => {};',
    'export const rule = (): Promise<number> => Promise.resolve(1);',
  ])('%s is refused in rules and transitions, which are synchronous and pure', async (line) => {
    expect(await refusalsOf(line, 'rules/example.ts')).toContain('no-restricted-syntax');
    expect(await refusalsOf(line, 'transitions/example.ts')).toContain('no-restricted-syntax');
    expect(await refusalsOf(line, 'operations/example.ts')).toEqual([]);
  });

  it('the bans of core hold in rules too', async () => {
    expect(await refusalsOf('export const now = new Date();', 'rules/example.ts')).toEqual([
      'no-restricted-syntax',
    ]);
    expect(await refusalsOf('export const now = Date.now();', 'rules/example.ts')).toEqual([
      'no-restricted-properties',
    ]);
  });

  it('what receives webhooks may read the clock and use WebCrypto, and is held to every other ban', async () => {
    const receiver = 'webhooks/receiver/example.ts';
    for (const line of ['export const now = Date.now();', 'export const { subtle } = crypto;']) {
      expect(await refusalsOf(line, receiver)).toEqual([]);
      expect(await refusalsOf(line, 'webhooks/example.ts')).not.toEqual([]);
    }
    for (const line of [
      "export const answer = fetch('https://example.com');",
      'export const dice = Math.random();',
      'export const now = new Date();',
      "import 'node:crypto';",
    ]) {
      expect(await refusalsOf(line, receiver)).toHaveLength(1);
    }
  });

  it('what core exports for tests may read the time, but imports no more than the rest', async () => {
    expect(await refusalsOf('export const now = Date.now();', 'testing/example.ts')).toEqual([]);
    expect(await refusalsOf("import 'vitest';", 'testing/example.ts')).toEqual(['no-restricted-imports']);
  });

  it.each(['operations/example.test.ts', 'operations/tests/example.ts', 'rules/tests/example.test.ts'])(
    'the bans do not apply to the test file %s',
    async (file) => {
      const line =
        "import { readFile } from 'node:fs/promises'; export const at = async () => [new Date(), readFile];";
      expect(await refusalsOf(line, file)).toEqual([]);
    },
  );
});

describe('a source has at most 400 lines', () => {
  const long = 'export {};\n'.repeat(401);
  const tooLong = async (file: string) => {
    const [result] = await linter.lintText(long, { filePath: `packages/${file}` });
    return result?.messages.some(({ ruleId }) => ruleId === 'max-lines');
  };

  it.each(['core/src/rules/example.ts', 'adapters/src/memory/example.ts'])('%s', async (file) => {
    expect(await tooLong(file)).toBe(true);
  });

  it.each(['core/src/rules/example.test.ts', 'core/src/http/tests/example.ts'])(
    'but the test file %s may be longer',
    async (file) => {
      expect(await tooLong(file)).toBe(false);
    },
  );
});

describe('every test runs', () => {
  it.each(['only', 'skip', 'todo', 'fails'])('it.%s is refused', async (modifier) => {
    expect(await refusalsOf(`it.${modifier}('charges', () => {});`, 'rules/example.test.ts')).toEqual([
      'no-restricted-syntax',
    ]);
  });

  it.each(['skipIf', 'runIf'])('describe.%s is refused', async (modifier) => {
    expect(
      await refusalsOf(`describe.${modifier}(true)('charges', () => {});`, 'rules/example.test.ts'),
    ).toEqual(['no-restricted-syntax']);
  });
});

describe('every test runs, in each place where tests are kept', () => {
  it.each([
    'packages/core/src/http/tests/example.test.ts',
    'packages/host-node/bench/example.ts',
    'examples/embed/src/tests/example.test.ts',
    'tests/service/src/example.test.ts',
    'scripts/test/example.test.ts',
  ])('it.only is refused in %s', async (filePath) => {
    const [result] = await linter.lintText("it.only('charges', () => {});\n", { filePath });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('no-restricted-syntax');
  });
});

describe('the linter knows types', () => {
  it.each([
    '@typescript-eslint/no-floating-promises',
    '@typescript-eslint/no-misused-promises',
    '@typescript-eslint/await-thenable',
    '@typescript-eslint/switch-exhaustiveness-check',
    '@typescript-eslint/no-explicit-any',
    '@typescript-eslint/no-non-null-assertion',
    '@typescript-eslint/no-unnecessary-condition',
    '@typescript-eslint/consistent-type-imports',
  ])('%s is an error in sources and tests', async (rule) => {
    for (const file of ['core/src/index.ts', 'localnet/src/index.ts', 'adapters/src/memory/store.test.ts']) {
      const { rules } = (await new ESLint({ cwd: ROOT }).calculateConfigForFile(`packages/${file}`)) as {
        rules: Record<string, readonly [severity: number]>;
      };
      expect(rules[rule]?.[0]).toBe(2);
    }
  });
});

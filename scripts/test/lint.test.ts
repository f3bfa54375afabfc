import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toolCommand } from '../tasks/processes.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** A folder of core, the rule that must refuse (none with `-`), and the code. */
const IN_CORE = `
operations no-restricted-properties export const now = Date.now();
operations no-restricted-properties export const soon = AbortSignal.timeout(1);
operations no-restricted-syntax export const now = new Date();
operations no-restricted-syntax export const now = Date();
operations no-restricted-syntax const Clock = Date; export const now = new Clock(0);
operations no-restricted-syntax export const local = new Date(2026, 0, 1);
operations no-restricted-syntax export const month = (at: Date) => at.getMonth();
operations no-restricted-syntax export const shown = (at: Date) => at.toLocaleString();
operations no-restricted-syntax export const fs = import('node:fs');
operations no-restricted-globals setTimeout(() => {}, 1);
operations no-restricted-globals export const answer = fetch('https://example.com');
operations no-restricted-globals export const id = crypto.randomUUID();
operations no-restricted-globals export const bytes = Buffer.from('a');
operations - export const later = (at: Date) => new Date(at.getTime() + Date.UTC(2026, 0, 1) + at.getUTCMonth());
rules no-restricted-syntax export const rule = (): Promise<number> => Promise.resolve(1);
transitions no-restricted-syntax export const rule = async () => {};
management/doctor no-restricted-syntax export const check = async () => {};
management/subscriptions/explanation no-restricted-syntax export const remedies = async () => {};
webhooks/receiver - export const now = Date.now(); export const { subtle } = crypto;
webhooks/receiver no-restricted-globals export const answer = fetch('https://example.com');
testing - export const now = Date.now();
client - export const end = setTimeout(() => {}, Math.random()); export const answer = fetch('https://a.example');
client no-restricted-properties export const now = Date.now();
client no-restricted-globals export const id = crypto.randomUUID();
operations/tests - import 'node:fs/promises'; export const at = new Date();`;

/** Tests that are left out or run alone. */
const NOT_RUN = `
it.only('charges', () => {});
it.skip.each([1])('charges %i', () => {});
describe.skipIf(true)('charges', () => {});
test.concurrent.skip('charges', () => {});
it('charges', { skip: true }, () => {});
it('charges', ({ skip }) => skip());
it('charges', (context) => context.skip());`;

const rows = (text: string) => text.trim().split('\n');
const LONG = 'export {};\n'.repeat(401);
const CASES: readonly (readonly [file: string, rule: string, code: string])[] = [
  ...rows(IN_CORE).map((row, index) => {
    const [, folder = '', rule = '', code = ''] = /^(\S+) (\S+) (.*)$/.exec(row) ?? [];
    return [`packages/core/src/${folder}/a${index}.ts`, rule, code] as const;
  }),
  ...rows(NOT_RUN).map(
    (code, index) => [`tests/service/src/c${index}.test.ts`, 'no-restricted-syntax', code] as const,
  ),
  ['packages/core/src/rules/d.test.ts', 'no-restricted-syntax', "it.only('charges', () => {});"],
  ['packages/adapters/src/memory/e.ts', 'max-lines', LONG],
  ['packages/adapters/src/memory/e.test.ts', '-', LONG],
];

let folder: string;
let diagnostics: readonly { readonly filename: string; readonly code: string }[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-lint-'));
  for (const name of ['oxlint.config.mjs', 'scripts/bans.mjs', 'tsconfig.base.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const options = {
    extends: './tsconfig.base.json',
    compilerOptions: { types: ['node'] },
    include: ['*/*/*'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  for (const [file, , code] of CASES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${code}\n`);
  }
  const files = CASES.map(([file]) => file);
  const [node = '', ...args] = toolCommand('oxlint', ['-c', 'oxlint.config.mjs', '-f', 'json', ...files]);
  const { stdout } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' });
  ({ diagnostics } = JSON.parse(stdout) as { diagnostics: typeof diagnostics });
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(CASES)('%s: %s', (file, rule) => {
  const refused = diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);
  expect(refused).toEqual(rule === '-' ? [] : expect.arrayContaining([expect.stringContaining(`(${rule})`)]));
});

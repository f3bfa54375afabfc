// Heavy: the compiler reads all of core to show its hovers.
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../packages/core/src/operations/operation.js';
import {
  CONTRACT_OPERATIONS,
  PROJECT_OPERATIONS,
  SERVICE_OPERATIONS,
  SESSION_OPERATIONS,
  WALLET_OPERATIONS,
} from '../../packages/core/src/operation-table.js';
import { ROOT } from '../tasks/repository.mjs';

const FILE = join(ROOT, 'packages/core/src/hovered.ts');

/** Each operation with the call of its function. Those of `projects` are in no group of one project. */
const callsOf = (owner: string, operations: readonly Operation[]) =>
  operations.map((operation) => {
    const name = owner === 'billing' ? operation.name : operation.name.replace(/^projects\./, '');
    return [`${owner}.${name}();`, operation] as const;
  });

const CALLS = [
  ...callsOf('shop', PROJECT_OPERATIONS),
  ...callsOf('billing', SERVICE_OPERATIONS),
  ...callsOf('client', [...CONTRACT_OPERATIONS, ...SESSION_OPERATIONS, ...WALLET_OPERATIONS]),
];

const CODE = `
  import type { Billing } from './index.js';
  import type { Client } from './client/index.js';
  declare const billing: Billing;
  declare const client: Client;
  const shop = billing.project('proj_1');
  const { plans, subscriptions } = billing.project('proj_1');
  const plan = await plans.retrieve('pro');
  const subscription = await subscriptions.retrieve('sub_1');
  const checkout = await subscriptions.create({ plan: 'pro', wallet: 'w' });
`;
const TEXT = `${CODE}${CALLS.map(([call]) => call).join('\n')}\n`;

const read = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, ROOT);
const readFile = (path: string) => (path === FILE ? TEXT : ts.sys.readFile(path));
const editor = ts.createLanguageService({
  readFile,
  fileExists: (path) => path === FILE || ts.sys.fileExists(path),
  directoryExists: (path) => ts.sys.directoryExists(path),
  getCompilationSettings: () => options,
  getCurrentDirectory: () => ROOT,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => '1',
  getScriptSnapshot(path) {
    const text = readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
});

it('an editor shows of each answer what is in it, and not only the name of its type', () => {
  const shown = (name: string) =>
    ts.displayPartsToString(
      editor.getQuickInfoAtPosition(FILE, TEXT.indexOf(`${name} =`))?.displayParts ?? [],
    );
  expect(shown('plan')).toMatch(/^const plan: \{\n {4}slug: string;\n {4}name: string;/);
  expect(shown('subscription')).toMatch(/^const subscription: \{\n {4}id: string;\n {4}status: "/);
  expect(shown('checkout')).toMatch(
    /\n {4}terms: \{\n {8}message: string;\n {8}expires_at: string;\n {4}\};/,
  );
});

/** The codes with which an operation refuses a caller in process, without those of routes only. */
function codesInProcess({ parameters, input, notFound, errors }: Operation): string[] {
  const codes = new Set<string>(errors);
  if (parameters.includes('project')) codes.add('not_found');
  if (input !== null) codes.add('invalid_request');
  if (notFound !== null) codes.add(notFound);
  return [...codes].sort();
}

// errors#codes-of-each-route
describe('an editor shows of each function what it does, an example, and the codes that its operation declares', () => {
  it.each(CALLS)('%s', (call, operation) => {
    const place = TEXT.indexOf(`\n${call}`) + call.length - 2;
    const { documentation, tags = [] } = editor.getQuickInfoAtPosition(FILE, place) ?? {};
    const shown = ts.displayPartsToString(documentation);
    expect(shown).toMatch(/^[A-Z][^]*\.$/);
    expect(tags.map(({ name }) => name)).toEqual(['example']);
    const refusals = /Refuses with([^]*)/.exec(shown)?.[1] ?? '';
    const codes = [...refusals.matchAll(/`(\w+)`/g)].map(([, code]) => code);
    expect(codes.sort()).toEqual(codesInProcess(operation));
  });
});

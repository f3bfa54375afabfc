import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { compilerOptions } from '../tasks/examples.mjs';
import { ROOT } from '../tasks/repository.mjs';

const FILE = join(ROOT, 'packages/core/src/hovered.ts');
const CODE = `
  import type { Billing } from './index.js';
  declare const billing: Billing;
  const { plans, subscriptions } = billing.project('proj_1');
  const plan = await plans.retrieve('pro');
  const subscription = await subscriptions.retrieve('sub_1');
  const checkout = await subscriptions.create({ plan: 'pro', wallet: 'w' });
`;

function openEditor(): ts.LanguageService {
  const options = compilerOptions();
  const readFile = (path: string) => (path === FILE ? CODE : ts.sys.readFile(path));
  return ts.createLanguageService({
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
}

it('an editor shows of each answer what is in it, and not only the name of its type', () => {
  const editor = openEditor();
  const shown = (name: string) =>
    ts.displayPartsToString(
      editor.getQuickInfoAtPosition(FILE, CODE.indexOf(`${name} =`))?.displayParts ?? [],
    );
  expect(editor.getSemanticDiagnostics(FILE)).toEqual([]);
  expect(shown('plan')).toMatch(/^const plan: \{\n {4}slug: string;\n {4}name: string;/);
  expect(shown('subscription')).toMatch(/^const subscription: \{\n {4}id: string;\n {4}status: "/);
  expect(shown('checkout')).toMatch(
    /\n {4}terms: \{\n {8}message: string;\n {8}expires_at: string;\n {4}\};/,
  );
});

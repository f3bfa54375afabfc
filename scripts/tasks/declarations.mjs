// Type checks the built declarations as a consumer's compiler reads them, including those behind the entry
// points, and checks that none of them cites a page of this repository.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { CONSUMER, publishedEntryPoints } from './consumer.mjs';
import { ROOT } from './repository.mjs';
import { citationsIn } from './rules.mjs';

const file = join(CONSUMER, 'index.ts');
const imports = publishedEntryPoints().map((name, index) => `import * as entry${index} from '${name}';`);
const uses = imports.map((_, index) => `void entry${index};`);
writeFileSync(file, [...imports, ...uses, ''].join('\n'));
writeFileSync(join(CONSUMER, 'package.json'), '{ "type": "module" }');

const program = ts.createProgram([file], {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  // A package's own declarations are what is being checked, so they are not skipped.
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules', '@types')],
});

const ours = program
  .getSourceFiles()
  .filter(({ fileName }) => /\/consumer\/(index\.ts|node_modules\/@subrail\/)/.test(fileName));
const diagnostics = [
  ...program.getOptionsDiagnostics(),
  ...ours.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]),
];
const host = {
  getCurrentDirectory: () => CONSUMER,
  getCanonicalFileName: (/** @type {string} */ name) => name,
  getNewLine: () => '\n',
};
process.stdout.write(ts.formatDiagnostics(diagnostics, host));
const citing = ours.flatMap(({ fileName, text }) =>
  citationsIn(text).map(
    (citation) =>
      `${fileName} cites ${citation}. A published type states the rule in words and cites nothing.`,
  ),
);
for (const problem of citing) console.error(problem);
process.exitCode = diagnostics.length + citing.length === 0 ? 0 : 1;

// Type checks the built declarations as a consumer's compiler reads them, including those behind the entry
// points, and checks that none of them cites a page of this repository.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSUMER, installedPackages, publishedEntryPoints } from './consumer.mjs';
import { capture, toolCommand } from './processes.mjs';
import { ROOT } from './repository.mjs';
import { citationsIn } from './rules.mjs';

const imports = publishedEntryPoints().map((name, index) => `export * as entry${index} from '${name}';\n`);
writeFileSync(join(CONSUMER, 'index.ts'), imports.join(''));
writeFileSync(join(CONSUMER, 'package.json'), '{ "type": "module" }');
const compilerOptions = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  // A package's own declarations are what is being checked, so they are not skipped.
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules', '@types')],
};
writeFileSync(join(CONSUMER, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));

const { output } = await capture(toolCommand('typescript:tsc', ['-p', CONSUMER, '--pretty', 'false']));
// Declarations of others are not ours to mend.
const faults = output
  .split(/\n(?=\S)/)
  .filter((fault) => /^error|^\S*consumer\/(index\.ts|node_modules\/@subrail\/)/.test(fault));
const declared = installedPackages().flatMap(({ folder }) =>
  readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(folder, 'dist', path)),
);
const citing = declared.flatMap((file) =>
  citationsIn(readFileSync(file, 'utf8')).map(
    (citation) => `${file} cites ${citation}. A published type states the rule in words and cites nothing.`,
  ),
);
for (const problem of [...faults, ...citing]) console.error(problem);
process.exitCode = faults.length + citing.length === 0 ? 0 : 1;

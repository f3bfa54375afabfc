// Type checks the built declarations as a consumer's compiler reads them, including those behind the entry
// points, and checks that none of them cites a page of this repository.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSUMER, PACKAGES, publishedEntryPoints } from './consumer.mjs';
import { capture, toolCommand } from './processes.mjs';
import { ROOT } from './repository.mjs';
import { citationsIn } from './rules.mjs';

const imports = publishedEntryPoints().map((name, index) => `export * as entry${index} from '${name}';\n`);
const config = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    // A package's own declarations are what is being checked, so they are not skipped.
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  },
  files: ['index.ts'],
};
writeFileSync(join(CONSUMER, 'index.ts'), imports.join(''));
writeFileSync(join(CONSUMER, 'package.json'), '{ "type": "module" }');
writeFileSync(join(CONSUMER, 'tsconfig.json'), JSON.stringify(config));

const { code, output } = await capture(
  toolCommand('typescript-7:tsc', ['-p', CONSUMER, '--pretty', 'false', '--checkers', '1']),
);
// What is wrong in another package's declarations is not ours to report.
const faults = output.split(/\n(?=\S)/).filter((fault) => fault !== '' && !/^[^(]*\/\.pnpm\//.test(fault));
if (code === null || (code !== 0 && output === '')) faults.push(`The compiler ended with ${code}.`);
const citing = PACKAGES.flatMap(({ folder }) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) =>
      citationsIn(readFileSync(join(folder, file), 'utf8')).map(
        (rule) =>
          `${join(folder, file)} cites ${rule}. A published type states a rule in words and cites nothing.`,
      ),
    ),
);
for (const problem of [...faults, ...citing]) console.error(problem);
process.exitCode = faults.length + citing.length === 0 ? 0 : 1;

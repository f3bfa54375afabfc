// Checks that every function, type and constant that a published package exports has a docblock.

import { pathToFileURL } from 'node:url';
import { exportsOf, publishedEntryPointSources } from './entry-points.mjs';
import { ROOT } from './repository.mjs';

/**
 * A problem for each name without a docblock that an entry point exports. A name that comes from another package is
 * left to that package.
 * @param {readonly string[]} entryPoints source files
 * @returns {string[]}
 */
export function undocumentedExports(entryPoints) {
  return exportsOf(entryPoints)
    .flat()
    .filter(({ documented }) => !documented)
    .flatMap(({ name, declarations }) =>
      declarations
        .slice(0, 1)
        .map(
          (declaration) => `${declaration.getSourceFile().fileName}: ${name} is exported without a docblock.`,
        ),
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = new Set(undocumentedExports(publishedEntryPointSources().map(({ file }) => file)));
  for (const problem of problems) console.error(problem.replace(ROOT, ''));
  process.exitCode = problems.size === 0 ? 0 : 1;
}

// Checks that every function, type and constant that a published package exports has a docblock.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { readManifest, ROOT, workspaceFolders } from './repository.mjs';

/**
 * A compiler host that resolves relative imports only. Which names an entry point exports depends on no other package.
 * @param {ts.CompilerOptions} options
 */
function ownFilesHost(options) {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, containingFile, options, host)
        : { resolvedModule: undefined },
    );
  return host;
}

/**
 * A problem for each name without a docblock that an entry point exports. A name that comes from another package is
 * left to that package.
 * @param {readonly string[]} entryPoints source files
 * @returns {string[]}
 */
export function undocumentedExports(entryPoints) {
  /** @type {ts.CompilerOptions} */
  const options = {
    noLib: true,
    noEmit: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
  };
  const program = ts.createProgram(entryPoints, options, ownFilesHost(options));
  const checker = program.getTypeChecker();
  return entryPoints.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is an entry point that exports nothing.`);
    return checker
      .getExportsOfModule(module)
      .map((symbol) => ({
        name: symbol.name,
        target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
      }))
      .filter(({ target }) => target.getDocumentationComment(checker).length === 0)
      .flatMap(({ name, target: { declarations = [] } }) =>
        declarations
          .slice(0, 1)
          .map(
            (declaration) =>
              `${declaration.getSourceFile().fileName}: ${name} is exported without a docblock.`,
          ),
      );
  });
}

/** The source of each entry point of every package that is published. */
function entryPointSources() {
  return workspaceFolders()
    .map((folder) => ({ folder: join(ROOT, folder), manifest: readManifest(join(ROOT, folder)) }))
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ folder, manifest }) =>
      Object.values(manifest.exports ?? {}).map((source) => join(folder, source)),
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = new Set(undocumentedExports(entryPointSources()));
  for (const problem of problems) console.error(problem.replace(ROOT, ''));
  process.exitCode = problems.size === 0 ? 0 : 1;
}

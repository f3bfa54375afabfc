import { join } from 'node:path';
import ts from 'typescript';
import { readManifest, ROOT, workspaceFolders } from './repository.mjs';

/**
 * @typedef {object} EntryPoint
 * @property {string} name by which it is imported, such as `@subrail/core/ports`
 * @property {string} file its source
 */

/**
 * @typedef {object} Export
 * @property {EntryPoint} entryPoint
 * @property {string} name
 * @property {boolean} isValue whether it exists when the program runs; false for a type
 * @property {boolean} documented whether it has a docblock
 * @property {ts.Type} type what it is as a type
 */

/**
 * Every entry point of every package that is published.
 * @returns {readonly EntryPoint[]}
 */
export function publishedEntryPointSources() {
  return workspaceFolders()
    .map((folder) => ({ folder: join(ROOT, folder), manifest: readManifest(join(ROOT, folder)) }))
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).map(([path, source]) => ({
        name: `${manifest.name}${path.slice(1)}`,
        file: join(folder, source),
      })),
    );
}

/** @type {ts.CompilerOptions} */
const OPTIONS = {
  noLib: true,
  types: [],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2023,
};

/**
 * The program of some sources and of what they import of their package. Which names an entry point exports
 * depends on no other package.
 * @param {readonly string[]} files
 */
function programOf(files) {
  const host = ts.createCompilerHost(OPTIONS);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, from, OPTIONS, host) : { resolvedModule: undefined },
    );
  return ts.createProgram(files, OPTIONS, host);
}

/**
 * The exports of entry points, in their order, each sorted by name.
 * @param {readonly EntryPoint[]} entryPoints
 * @returns {readonly Export[]}
 */
export function exportsOf(entryPoints) {
  const program = programOf(entryPoints.map(({ file }) => file));
  const checker = program.getTypeChecker();
  return entryPoints.flatMap((entryPoint) => {
    const source = program.getSourceFile(entryPoint.file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${entryPoint.file} is an entry point that exports nothing.`);
    return checker
      .getExportsOfModule(module)
      .map((symbol) => {
        const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return {
          entryPoint,
          name: symbol.name,
          isValue: (target.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(symbol),
          documented: isDocumented(target, checker),
          type: checker.getDeclaredTypeOfSymbol(target),
        };
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  });
}

/**
 * Whether a name has a docblock. Of a namespace, each of its names has one.
 * @param {ts.Symbol} symbol
 * @param {ts.TypeChecker} checker
 * @returns {boolean}
 */
function isDocumented(symbol, checker) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.flags & ts.SymbolFlags.ValueModule
    ? checker.getExportsOfModule(target).every((name) => isDocumented(name, checker))
    : target.getDocumentationComment(checker).length > 0;
}

/**
 * Whether an export is of the type only: `export type { Name }`, or a name of a module that is exported as
 * types.
 * @param {ts.Symbol} symbol
 */
function isTypeOnly({ declarations = [] }) {
  return declarations.some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration));
}

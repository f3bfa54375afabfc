// Type checks the code that pages and docblocks show, against the sources: an example that does not compile is wrong.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { codeOfDocblocks, codeOfPage } from './code-blocks.mjs';
import { exportsOf, publishedEntryPointSources } from './entry-points.mjs';
import { ROOT, workspaceFolders } from './repository.mjs';
import { readTexts } from './texts.mjs';

/** @typedef {import('./code-blocks.mjs').CodeLine} CodeLine */
/**
 * @typedef {import('./entry-points.mjs').EntryPoint & { members?: ReadonlyMap<string, string> }} EntryPoint with the sources of
 * members that its exported types derive from elsewhere, each with its text
 */

/** The folder in which the compiler finds the modules of the examples. */
const FOLDER = join(ROOT, 'scripts', 'examples');

/** Declares the names that every example may use without importing or declaring them. */
const NAMES = join(FOLDER, 'names.ts');

/** @typedef {readonly CodeLine[]} Module the lines of one module, each with where it is written */

/**
 * A line that stands in the module and not in the example.
 * @param {string} text
 * @returns {CodeLine}
 */
const added = (text) => ({ text, file: '', line: 0 });

/** @param {Module} lines */
const textOf = (lines) => lines.map(({ text }) => text).join('\n');

/**
 * The statements of code, without what they mean.
 * @param {Module} lines
 */
const parsed = (lines) => ts.createSourceFile('', textOf(lines), ts.ScriptTarget.ES2023);

/** @param {Module} lines */
const importsOf = (lines) =>
  parsed(lines).statements.filter((statement) => ts.isImportDeclaration(statement));

/**
 * The names that code imports.
 * @param {Module} lines
 */
const importedNames = (lines) =>
  importsOf(lines).flatMap(({ importClause }) => {
    const bindings = importClause?.namedBindings;
    const named =
      bindings === undefined ? [] : ts.isNamespaceImport(bindings) ? [bindings] : bindings.elements;
    return [importClause, ...named].flatMap((one) => one?.name?.text ?? []);
  });

/**
 * The file that a block names in its first line, such as `// billing.ts`; null for most.
 * @param {Module} lines
 */
const fileNameOf = ([first]) => /^\/\/ ([\w-]+)\.ts$/.exec(first?.text ?? '')?.[1] ?? null;

/**
 * The modules that the blocks of a page make, by their file names. A block that imports something, or names its file, begins
 * a module; any other continues the one before it, as a reader reads the page. The others of the page may import a module by
 * the file that it names.
 * @param {readonly Module[]} blocks
 * @param {string} folder for the modules of the page
 * @returns {ReadonlyMap<string, Module>}
 */
function modulesOfPage(blocks, folder) {
  /** @type {Map<string, CodeLine[]>} */
  const modules = new Map();
  /** @type {CodeLine[] | undefined} */
  let last;
  for (const block of blocks) {
    const name = fileNameOf(block);
    if (last !== undefined && name === null && importsOf(block).length === 0) last.push(...block);
    else {
      const file = join(folder, `${name ?? modules.size}.ts`);
      modules.set(modules.has(file) ? join(folder, `${modules.size}.ts`) : file, (last = [...block]));
    }
  }
  return new Map([...modules].map(([file, lines]) => [file, [...lines, added('export {};')]]));
}

/**
 * The modules of the examples of an entry point. An example may use what the entry point exports without importing it. One
 * that neither imports nor exports is put into a block, so that it may declare a name of its own all the same.
 * @param {EntryPoint} entryPoint
 * @param {readonly import('./entry-points.mjs').Export[]} exported
 * @returns {readonly Module[]}
 */
function modulesOfEntryPoint(entryPoint, exported) {
  const ofExports = exported
    .flatMap(({ declarations }) => declarations)
    .flatMap((declaration) => {
      const { fileName, text } = declaration.getSourceFile();
      // The docblock of a constant is that of its statement.
      const node = ts.findAncestor(declaration, ts.isVariableStatement) ?? declaration;
      return codeOfDocblocks(fileName, text, node.getFullStart(), node.getEnd());
    });
  const ofMembers = [...(entryPoint.members ?? [])].flatMap(([file, text]) =>
    codeOfDocblocks(file, text, 0, text.length),
  );
  return [...ofExports, ...ofMembers].map((lines) => {
    const imported = importedNames(lines);
    const names = exported
      .filter(({ name }) => !imported.includes(name))
      .map(({ name, isValue }) => (isValue ? name : `type ${name}`));
    const importing = added(`import { ${names.join(', ')} } from '${entryPoint.name}';`);
    return ts.isExternalModule(parsed(lines))
      ? [importing, ...lines]
      : [importing, added('{'), ...lines, added('}'), added('export {};')];
  });
}

/**
 * The options with which every member is compiled.
 * @returns {ts.CompilerOptions}
 */
export function compilerOptions() {
  const { config } = /** @type {{ config: object }} */ (
    ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), (path) => ts.sys.readFile(path))
  );
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, ROOT);
  const typeRoots = [join(ROOT, 'node_modules', '@types')];
  return { ...options, declaration: false, sourceMap: false, types: ['node'], typeRoots };
}

/**
 * A compiler host in which the modules are files. They import the entry points from source, and of npm what any member
 * of the workspace installs.
 * @param {ts.CompilerOptions} options
 * @param {ReadonlyMap<string, Module>} modules by their file names
 * @param {readonly EntryPoint[]} entryPoints
 */
function examplesHost(options, modules, entryPoints) {
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(ROOT, (name) => name, options);
  const sources = new Map(entryPoints.map(({ name, file }) => [name, file]));
  // A page may show a source or a test of a member, with the relative imports that it has there.
  const members = workspaceFolders().flatMap((folder) =>
    ['', 'src', 'src/memory', 'src/sqlite/tests', 'src/http/tests'].map((part) =>
      join(ROOT, folder, part, 'example.ts'),
    ),
  );
  const onDisk = { ...host };
  host.fileExists = (path) => modules.has(path) || onDisk.fileExists(path);
  host.directoryExists = (path) => path.startsWith(FOLDER) || (onDisk.directoryExists?.(path) ?? true);
  host.readFile = (path) => {
    const lines = modules.get(path);
    return lines === undefined ? onDisk.readFile(path) : textOf(lines);
  };
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) => {
      const source = sources.get(text);
      if (source !== undefined)
        return { resolvedModule: { resolvedFileName: source, extension: ts.Extension.Ts } };
      const from = containingFile.startsWith(FOLDER) ? [containingFile, ...members] : [containingFile];
      const found = from.map((file) => ts.resolveModuleName(text, file, options, host, cache));
      return (
        found.find(({ resolvedModule }) => resolvedModule !== undefined) ?? { resolvedModule: undefined }
      );
    });
  return host;
}

/**
 * A problem for each fault of an example, with the file and the line where it is written.
 * @param {object} shown
 * @param {ReadonlyMap<string, string>} shown.pages the text of each page by its path
 * @param {readonly EntryPoint[]} shown.entryPoints the entry points whose docblocks show examples, and that examples import
 * @param {string} [names] the file that declares the names of examples
 * @returns {string[]}
 */
export function brokenExamples({ pages, entryPoints }, names = NAMES) {
  const read = [...pages].map(([file, text]) => codeOfPage(file, text));
  const exported = exportsOf(entryPoints.map(({ file }) => file));
  const inPages = read.flatMap(({ blocks }, page) => [
    ...modulesOfPage(blocks, join(FOLDER, `page-${page}`)),
  ]);
  const inDocblocks = entryPoints.flatMap((entryPoint, index) =>
    modulesOfEntryPoint(entryPoint, exported[index] ?? []),
  );
  // One declaration may be exported by several entry points: its examples are checked once.
  const unique = new Map(inDocblocks.map((lines) => [placeOf(lines.find(({ line }) => line > 0)), lines]));
  const modules = new Map([
    ...inPages,
    ...[...unique.values()].map(
      (lines, index) => /** @type {const} */ ([join(FOLDER, `${index}.ts`), lines]),
    ),
  ]);

  const options = compilerOptions();
  const program = ts.createProgram(
    [names, ...modules.keys()],
    options,
    examplesHost(options, modules, entryPoints),
  );
  const faults = [names, ...modules.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return [
    ...read.flatMap(({ problems }) => problems),
    ...[...program.getOptionsDiagnostics(), ...faults].map((fault) => describe(fault, modules)),
  ];
}

/** @param {CodeLine | undefined} line */
const placeOf = (line) => (line === undefined ? '' : `${line.file}:${line.line}`);

/**
 * @param {ts.Diagnostic} fault
 * @param {ReadonlyMap<string, Module>} modules
 */
function describe({ file, start = 0, messageText }, modules) {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n');
  if (file === undefined) return message;
  const { line } = file.getLineAndCharacterOfPosition(start);
  const lines = modules.get(file.fileName) ?? [];
  // A fault in a line that was added, such as a missing brace, belongs to the last line of the example before it.
  const written = lines.slice(0, line + 1).findLast((one) => one.line > 0);
  return `${written === undefined ? `${file.fileName}:${line + 1}` : placeOf(written)}: ${message}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const texts = [...readTexts(ROOT)];
  const pages = texts.filter(([path]) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  // The functions of billing have the docblocks of the operations.
  const operations = texts.filter(([path]) => path.endsWith('/operations.ts'));
  const entryPoints = publishedEntryPointSources().map((entryPoint) =>
    entryPoint.name === '@subrail/core' ? { ...entryPoint, members: new Map(operations) } : entryPoint,
  );
  const problems = brokenExamples({ pages: new Map(pages), entryPoints });
  for (const problem of problems) console.error(problem.replace(ROOT, ''));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

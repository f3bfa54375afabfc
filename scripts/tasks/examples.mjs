// Checks what a package says of the names that it publishes: each has a docblock, and the code that pages and
// docblocks show compiles against the declarations that the check of types has written.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { exportsOf, publishedEntryPointSources } from './entry-points.mjs';
import { capture, toolCommand } from './processes.mjs';
import { readTexts, ROOT, workspaceFolders } from './repository.mjs';

/**
 * @typedef {import('./entry-points.mjs').EntryPoint & { members?: ReadonlyMap<string, string> }} EntryPoint
 *   with the sources of members that its exported types derive from elsewhere, each with its text
 */
/** @typedef {import('./entry-points.mjs').Export} Export */
/**
 * @typedef {{ from: number, lines: readonly string[] }} Block code, and the line of its file on which it
 * begins, from 0
 */
/**
 * @typedef {{ source: string, prefix: string, blocks: Block[] }} Module blocks of one file, and what stands
 * before them on their line
 */

/** Declares the names that every example may use without importing or declaring them. */
const NAMES = join(ROOT, 'scripts/examples/names.ts');

/**
 * The fenced blocks of a Markdown text: indentation, fence, language, and the lines up to the same fence, or
 * to the end.
 */
const FENCED = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*).*\n([^]*?)(?:^[ \t]*\2[`~]*[ \t]*$|$(?![^]))/gm;

/** @param {string} text */
const lineAt = (text, index = 0) => text.slice(0, index).split('\n').length - 1;

/**
 * The blocks of TypeScript in a Markdown text, and the lines, from 1, of those that name no language: nobody
 * could tell whether they are code.
 * @param {string} text
 * @returns {{ blocks: readonly Block[], unnamed: readonly number[], fences: number }}
 */
export function codeIn(text) {
  const fenced = [...text.matchAll(FENCED)].map(({ index, 1: indent = '', 3: language, 4: code = '' }) => ({
    language,
    from: lineAt(text, index) + 1,
    // In a list, a block is indented as far as its fence.
    lines: code.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
  }));
  return {
    blocks: fenced.filter(({ language }) => language === 'ts' || language === 'typescript'),
    unnamed: fenced.filter(({ language }) => language === '').map(({ from }) => from),
    fences: fenced.length,
  };
}

/**
 * The examples in the docblocks of a part of a source: what follows `@example` up to the next tag, or the
 * blocks of TypeScript in it.
 * @param {string} text the whole source
 * @param {number} start of the part
 * @param {number} end of the part
 * @returns {readonly Block[]}
 */
function examplesIn(text, start, end) {
  return [...text.slice(start, end).matchAll(/\/\*\*[^]*?\*\//g)].flatMap(({ 0: docblock, index }) => {
    const from = lineAt(text, start + index);
    const words = docblock.replace(/^\/\*\*| ?\*\/$/g, '').replace(/^[ \t]*\* ?/gm, '');
    // A tag within a fence, such as a decorator, is code.
    return [...words.matchAll(/^ ?@example(?:```[^]*?^```|(?!^@\w)[^])*/gm)].flatMap((example) => {
      const begins = from + lineAt(words, example.index);
      const body = example[0].replace(/^ ?@example[ \t]*/, '');
      const { blocks, fences } = codeIn(body);
      if (fences === 0) return [{ from: begins, lines: body.split('\n') }];
      return blocks.map((block) => ({ ...block, from: begins + block.from }));
    });
  });
}

/** @param {readonly Block[]} blocks */
const parsed = (blocks) =>
  ts.createSourceFile('', blocks.flatMap(({ lines }) => lines).join('\n'), ts.ScriptTarget.ES2023);

/** @param {readonly Block[]} blocks */
const importsOf = (blocks) =>
  parsed(blocks).statements.filter((statement) => ts.isImportDeclaration(statement));

/**
 * The modules of a page by their names. A block that imports something, or names its file in its first line,
 * such as `// billing.ts`, begins a module; any other continues the one before it, as a reader reads the
 * page.
 * @param {string} source
 * @param {readonly Block[]} blocks
 */
function modulesOfPage(source, blocks) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  /** @type {Module | undefined} */
  let last;
  for (const block of blocks) {
    const name = /^\/\/ ([\w-]+)\.ts$/.exec(block.lines[0] ?? '')?.[1];
    if (last !== undefined && name === undefined && importsOf([block]).length === 0) last.blocks.push(block);
    else {
      last = { source, prefix: '', blocks: [block] };
      modules.set(name === undefined || modules.has(name) ? String(modules.size) : name, last);
    }
  }
  return modules;
}

/**
 * The modules of the examples of an entry point, each of which may use what the entry point exports without
 * importing it.
 * @param {EntryPoint} entryPoint
 * @param {readonly Export[]} exported
 * @returns {readonly Module[]}
 */
function modulesOfEntryPoint(entryPoint, exported) {
  const ofExports = exported
    .flatMap(({ declarations }) => declarations)
    .flatMap((declaration) => {
      const { fileName, text } = declaration.getSourceFile();
      // The docblock of a constant is that of its statement.
      const node = ts.findAncestor(declaration, ts.isVariableStatement) ?? declaration;
      return examplesIn(text, node.getFullStart(), node.getEnd()).map((block) => ({
        source: fileName,
        block,
      }));
    });
  const ofMembers = [...(entryPoint.members ?? [])].flatMap(([source, text]) =>
    examplesIn(text, 0, text.length).map((block) => ({ source, block })),
  );
  return [...ofExports, ...ofMembers].map(({ source, block }) => {
    const imported = importsOf([block]).flatMap(({ importClause }) => {
      const bindings = importClause?.namedBindings;
      return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
    });
    const names = exported
      .filter(({ name }) => !imported.includes(name))
      .map(({ name, isValue }) => (isValue ? name : `type ${name}`));
    const prefix = `import { ${names.join(', ')} } from '${entryPoint.name}';`;
    if (ts.isExternalModule(parsed([block]))) return { source, prefix, blocks: [block] };
    // An example without imports and exports stands in a block, so that it may declare names.
    const lines = [...block.lines.slice(0, -1), `${block.lines.at(-1) ?? ''}\n}`];
    return { source, prefix: `${prefix} {`, blocks: [{ ...block, lines }] };
  });
}

/**
 * Folders of members whose sources and tests a page may show, with the relative imports that they have there.
 */
const SHOWN = ['', 'src', 'src/memory', 'src/sqlite/tests', 'src/node/http-sender/tests'];

/**
 * The text of a module, in which every line has the number that it has where it is written.
 * @param {Module} module
 * @param {ReadonlyMap<string, unknown>} siblings the modules of the same page
 * @param {(source: string) => string} typesOf the file with the types of a source
 */
function textOf({ prefix, blocks }, siblings, typesOf) {
  /** @type {string[]} */
  const text = [];
  for (const { from, lines } of blocks) lines.forEach((line, index) => (text[from + index] = line));
  text[0] = `${prefix} ${text[0] ?? ''}`;
  const folders = workspaceFolders().flatMap((folder) => SHOWN.map((part) => join(ROOT, folder, part)));
  const imported = /(?<=from ')(\.\.?\/[\w./-]+)\.js(?=')/g;
  const withPaths = text.join('\n').replace(imported, (whole, /** @type {string} */ path) => {
    const folder = siblings.has(path.slice(2))
      ? undefined
      : folders.find((folder) => existsSync(join(folder, `${path}.ts`)));
    if (folder === undefined) return whole;
    return typesOf(`${join(folder, path)}.ts`).replace(/(\.d)?\.ts$/, '.js');
  });
  return `${withPaths}\nexport {};\n`;
}

/**
 * Links what any member installs into a folder, so that the modules in it may import that.
 * @param {string} folder
 */
function linkPackages(folder) {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  for (const member of ['', ...workspaceFolders()]) {
    const installed = join(ROOT, member, 'node_modules');
    const entries = existsSync(installed)
      ? readdirSync(installed).filter((name) => !name.startsWith('.'))
      : [];
    for (const name of entries.flatMap((entry) =>
      entry.startsWith('@') ? readdirSync(join(installed, entry)).map((name) => `${entry}/${name}`) : [entry],
    )) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      if (!existsSync(link)) symlinkSync(join(installed, name), link, 'junction');
    }
  }
}

/**
 * A problem for each name without a docblock that an entry point exports, for each block of a page that names
 * no language, and for each fault of an example, at the line where it is written.
 * @param {object} shown
 * @param {ReadonlyMap<string, string>} shown.pages the text of each page by its path
 * @param {readonly EntryPoint[]} shown.entryPoints the entry points whose docblocks are checked, and that
 *   examples import
 * @param {string} shown.folder where the modules are compiled
 * @param {string} [shown.names] the file that declares the names of examples
 * @param {(source: string) => string} [shown.typesOf] the file with the types of an entry point
 * @returns {Promise<readonly string[]>}
 */
export async function problemsOfExamples({
  pages,
  entryPoints,
  folder,
  names = NAMES,
  typesOf = (file) => file,
}) {
  const exported = exportsOf(entryPoints.map(({ file }) => file));
  const undocumented = exported
    .flat()
    .flatMap(({ name, documented, declarations: [declaration] }) =>
      documented || declaration === undefined
        ? []
        : [`${declaration.getSourceFile().fileName}: ${name} is exported without a docblock.`],
    );
  const read = [...pages].map(([path, text]) => ({ path, ...codeIn(text) }));
  const unnamed = read.flatMap(({ path, unnamed }) =>
    unnamed.map(
      (line) =>
        `${path}:${line}: the block names no language: write \`\`\`ts for code that is checked, else text, sh or json.`,
    ),
  );
  /** @type {Map<string, Module>} the modules by their files */
  const files = new Map();
  rmSync(folder, { recursive: true, force: true });
  /** @type {(path: string, module: Module, siblings?: ReadonlyMap<string, Module>) => void} */
  const write = (path, module, siblings = new Map()) => {
    const file = join(folder, path);
    files.set(file, module);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, textOf(module, siblings, typesOf));
  };
  for (const [index, { path, blocks }] of read.entries()) {
    const modules = modulesOfPage(path, blocks);
    for (const [name, module] of modules) write(`page-${index}/${name}.ts`, module, modules);
  }
  // A declaration of several entry points has its examples checked once.
  const inDocblocks = entryPoints.flatMap((entryPoint, index) =>
    modulesOfEntryPoint(entryPoint, exported[index] ?? []),
  );
  const unique = new Map(inDocblocks.map((module) => [`${module.source}:${module.blocks[0]?.from}`, module]));
  for (const [index, module] of [...unique.values()].entries()) write(`${index}.ts`, module);

  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      declaration: false,
      sourceMap: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: Object.fromEntries(entryPoints.map(({ name, file }) => [name, [typesOf(file)]])),
    },
    files: ['names.ts', ...files.keys()],
  };
  writeFileSync(join(folder, 'names.ts'), readFileSync(names));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compile = toolCommand('typescript-7:tsc', ['-p', folder, '--pretty', 'false', '--checkers', '1']);
  const { code, output } = await capture(compile, { env: { ...process.env, FORCE_COLOR: undefined } });
  const faults = output.split(/\n(?=\S)/).map((fault) =>
    fault.replace(
      /^(.+?)\((\d+),\d+\): error TS\d+: /,
      (_, /** @type {string} */ path, /** @type {string} */ line) => {
        const module = files.get(join(ROOT, path)) ?? files.get(path);
        // A fault in a line that was added, such as a missing brace, belongs to the last line of the example
        // before it.
        const last = module?.blocks.at(-1);
        const end = last === undefined ? Infinity : last.from + last.lines.join('\n').split('\n').length;
        return `${module?.source ?? path}:${Math.min(Number(line), end)}: `;
      },
    ),
  );
  return [...undocumented, ...unnamed, ...(code === 0 ? [] : faults.map((fault) => fault.trim()))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const declarations = join(ROOT, 'dist');
  linkPackages(declarations);
  const texts = [...readTexts()];
  const pages = texts.filter(([path]) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  // The functions of billing have the docblocks of the operations.
  const operations = texts.filter(([path]) => path.endsWith('/operations.ts'));
  const problems = await problemsOfExamples({
    pages: new Map(pages),
    entryPoints: publishedEntryPointSources().map((entryPoint) =>
      entryPoint.name === '@subrail/core' ? { ...entryPoint, members: new Map(operations) } : entryPoint,
    ),
    folder: join(declarations, 'examples-of-pages'),
    typesOf: (file) => join(declarations, relative(ROOT, file).replace(/\.ts$/, '.d.ts')),
  });
  for (const problem of new Set(problems)) console.error(problem.replaceAll(ROOT, ''));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

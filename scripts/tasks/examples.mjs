// Checks what packages say of the names that they publish: each has a docblock, and the code that pages and
// docblocks show compiles against the declarations that the check of types has written.

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { exportsOf, publishedEntryPointSources } from './entry-points.mjs';
import { capture, toolCommand } from './processes.mjs';
import { readTexts, ROOT } from './repository.mjs';

/** @typedef {ReadonlyMap<string, string>} Texts the text of each file by its path from the root */
/**
 * @typedef {{ from: number, lines: readonly string[] }} Block code, and the line of its file on which it
 * begins, from 0
 */
/**
 * @typedef {{ source: string, prefix: string, blocks: Block[] }} Module blocks of one file, and what stands
 * before them on their line
 */

/** The fenced blocks of a Markdown text: indentation, fence, language, and the lines up to the same fence. */
const FENCED = /^([ \t]*)(```|~~~)[ \t]*(\S*).*\n([^]*?)^[ \t]*\2[ \t]*$/gm;

const LANGUAGES = ['ts', 'tsx', 'html', 'css', 'vue', 'svelte', 'text', 'sh', 'json'];

/** @type {(text: string, index: number) => number} */
const lineAt = (text, index) => text.slice(0, index).split('\n').length - 1;

/** @param {string} text */
const fencedIn = (text) =>
  [...text.matchAll(FENCED)].map(({ index, 1: indent = '', 2: fence, 3: language = '', 4: code = '' }) => ({
    language: fence === '```' ? language : undefined,
    from: lineAt(text, index) + 1,
    // In a list, a block is indented as far as its fence.
    lines: code.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
  }));

/**
 * The examples in the docblocks of a source: what follows `@example` up to the next tag.
 * @param {string} text
 * @returns {readonly Block[]}
 */
const examplesIn = (text) =>
  [...text.matchAll(/\/\*\*[^]*?\*\//g)].flatMap(({ 0: docblock, index }) => {
    const words = docblock.replace(/^\/\*\*| ?\*\/$/g, '').replace(/^[ \t]*\* ?/gm, '');
    return [...words.matchAll(/^ ?@example[ \t]*((?:(?!^@\w)[^])*)/gm)].map((example) => ({
      from: lineAt(text, index) + lineAt(words, example.index),
      lines: (example[1] ?? '').trimEnd().split('\n'),
    }));
  });

/** @param {Block} block */
const parsed = ({ lines }) => ts.createSourceFile('', lines.join('\n'), ts.ScriptTarget.ES2023);

/** @param {Block} block */
const importsOf = (block) =>
  parsed(block).statements.filter((statement) => ts.isImportDeclaration(statement));

/**
 * The modules of a page by their names. A block that imports something, or names its file in its first line,
 * such as `// billing.ts`, begins a module; any other continues the one before it, as a reader reads the
 * page.
 * @param {string} source
 * @param {string} text
 */
function modulesOfPage(source, text) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  for (const block of fencedIn(text).filter(({ language }) => language === 'ts')) {
    const name = /^\/\/ ([\w-]+)\.ts$/.exec(block.lines[0] ?? '')?.[1];
    const last = [...modules.values()].at(-1);
    if (last !== undefined && name === undefined && importsOf(block).length === 0) last.blocks.push(block);
    else {
      const key = name === undefined || modules.has(name) ? String(modules.size) : name;
      modules.set(key, { source, prefix: '', blocks: [block] });
    }
  }
  return modules;
}

/**
 * The modules of the examples in the docblocks of a package, each of which may use what the package exports
 * without importing it.
 * @param {Texts} sources
 * @param {readonly import('./entry-points.mjs').Export[]} exported
 * @returns {readonly Module[]}
 */
const modulesOfPackage = (sources, exported) =>
  [...sources].flatMap(([source, text]) =>
    examplesIn(text).map((block) => {
      const imported = importsOf(block).flatMap(({ importClause }) => {
        const bindings = importClause?.namedBindings;
        return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
      });
      const prefix = exported
        .filter(({ name }) => !imported.includes(name))
        .map(
          ({ entryPoint: { name: from }, name, isValue }) =>
            `import { ${isValue ? '' : 'type '}${name} } from '${from}';`,
        )
        .join(' ');
      if (ts.isExternalModule(parsed(block))) return { source, prefix, blocks: [block] };
      // An example without imports and exports stands in a block, so that it may declare names.
      return { source, prefix: `${prefix} {`, blocks: [{ ...block, lines: [...block.lines, '}'] }] };
    }),
  );

/**
 * The text of a module, in which every line has the number that it has where it is written.
 * @param {Module} module
 */
function textOf({ prefix, blocks }) {
  /** @type {string[]} */
  const text = [];
  for (const { from, lines } of blocks) lines.forEach((line, index) => (text[from + index] = line));
  text[0] = `${prefix} ${text[0] ?? ''}`;
  return `${text.join('\n')}\nexport {};\n`;
}

/**
 * A problem for each name without a docblock that an entry point exports, for each block of a page with
 * another fence or language, and for each fault of an example, at the line where it is written.
 * @param {object} shown
 * @param {Texts} shown.pages
 * @param {readonly { sources: Texts, entryPoints: readonly import('./entry-points.mjs').EntryPoint[] }[]}
 *   shown.packages
 * @param {string} shown.folder where the modules are compiled
 * @param {string} shown.names the text that declares names for all examples
 * @param {readonly string[]} [shown.beside] folders whose files a page shows, with their relative imports
 * @param {(source: string) => string} [shown.typesOf] the file with the types of an entry point
 * @returns {Promise<readonly string[]>}
 */
export async function problemsOfExamples({
  pages,
  packages,
  folder,
  names,
  beside = [],
  typesOf = (file) => file,
}) {
  const unnamed = [...pages].flatMap(([path, text]) =>
    fencedIn(text).flatMap(({ language, from }) =>
      language !== undefined && LANGUAGES.includes(language)
        ? []
        : [`${path}:${from}: write \`\`\`ts before a block of code, else text, sh or json.`],
    ),
  );
  /** @type {Map<string, Module>} the modules by their files */
  const files = new Map();
  for (const [index, [path, text]] of [...pages].entries())
    for (const [name, module] of modulesOfPage(path, text))
      files.set(join(folder, `page-${index}/${name}.ts`), module);
  const entryPoints = packages.flatMap(({ entryPoints }) => entryPoints);
  const exported = exportsOf(entryPoints);
  const undocumented = exported.flatMap(({ entryPoint, name, documented }) =>
    documented ? [] : [`${entryPoint.name} exports ${name} without a docblock.`],
  );
  for (const { sources, entryPoints: own } of packages)
    for (const module of modulesOfPackage(
      sources,
      exported.filter(({ entryPoint }) => own.includes(entryPoint)),
    ))
      files.set(join(folder, `docblock-${files.size}.ts`), module);

  rmSync(folder, { recursive: true, force: true });
  for (const [file, module] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, textOf(module));
  }
  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      declaration: false,
      // Some of them run in a browser.
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      sourceMap: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: Object.fromEntries(entryPoints.map(({ name, file }) => [name, [typesOf(file)]])),
      rootDirs: [folder, ...new Set([...files.keys()].map((file) => dirname(file))), ...beside],
    },
    files: ['names.ts', ...files.keys()],
  };
  writeFileSync(join(folder, 'names.ts'), names);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compile = toolCommand('typescript-7:tsc', ['-p', folder, '--pretty', 'false', '--checkers', '1']);
  const { code, output } = await capture(compile);
  const faults = output.split(/\n(?=\S)/).map((fault) =>
    fault.replace(
      /^(.+?)\((\d+),\d+\): error TS\d+: /,
      (_, /** @type {string} */ path, /** @type {string} */ line) => {
        const module = files.get(join(ROOT, path)) ?? files.get(path);
        return `${module?.source ?? path}:${line}: `;
      },
    ),
  );
  return [...undocumented, ...unnamed, ...(code === 0 ? [] : faults.map((fault) => fault.trim()))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const dist = join(ROOT, 'dist');
  rmSync(join(dist, 'node_modules'), { recursive: true, force: true });
  // What any member installs.
  symlinkSync(join(ROOT, 'node_modules/.pnpm/node_modules'), join(dist, 'node_modules'), 'junction');
  const texts = [...readTexts()];
  const entryPoints = publishedEntryPointSources();
  const folders = [
    ...new Set(entryPoints.map(({ file }) => relative(ROOT, file).replace(/src\/.*/, 'src/'))),
  ];
  const problems = await problemsOfExamples({
    pages: new Map(texts.filter(([path]) => path.endsWith('.md') && path !== 'CHANGELOG.md')),
    packages: folders.map((folder) => ({
      sources: new Map(
        texts.filter(([path]) => path.startsWith(folder) && !/\.test\.ts$|\/tests\//.test(path)),
      ),
      entryPoints: entryPoints.filter(({ file }) => relative(ROOT, file).startsWith(folder)),
    })),
    folder: join(dist, 'examples-of-pages'),
    names: readFileSync(join(ROOT, 'scripts/examples/names.ts'), 'utf8'),
    beside: ['', 'memory', 'sqlite/tests', 'node/http-sender/tests', 'smtp/tests'].map((folder) =>
      join(dist, 'packages/adapters/src', folder),
    ),
    typesOf: (file) => join(dist, relative(ROOT, file).replace(/\.ts$/, '.d.ts')),
  });
  for (const problem of new Set(problems)) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

// The code that pages and docblocks show, line by line with where each line is written.

/**
 * @typedef {object} CodeLine
 * @property {string} text
 * @property {string} file
 * @property {number} line from 1
 */

/** @typedef {readonly CodeLine[]} CodeBlock */

const CODE_LANGUAGES = ['ts', 'typescript'];

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)/;

/**
 * The fenced blocks of a Markdown text, with the language that each names.
 * @param {readonly CodeLine[]} lines
 * @returns {readonly { language: string, opening: CodeLine, block: CodeBlock }[]}
 */
function fencedBlocks(lines) {
  const blocks = [];
  /** @type {{ indent: number, marks: string, language: string, opening: CodeLine, block: CodeLine[] } | null} */
  let open = null;
  for (const line of lines) {
    const [, indent = '', marks = '', language = ''] = FENCE.exec(line.text) ?? [];
    if (open === null) {
      if (marks !== '') open = { indent: indent.length, marks, language, opening: line, block: [] };
    } else if (marks.startsWith(open.marks) && language === '') {
      blocks.push(open);
      open = null;
    } else {
      // In a list, a block is indented as far as its fence.
      const own = line.text.slice(0, open.indent).trim() === '' ? line.text.slice(open.indent) : line.text;
      open.block.push({ ...line, text: own });
    }
  }
  return open === null ? blocks : [...blocks, open];
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {readonly CodeLine[]}
 */
const linesOf = (file, text) => text.split('\n').map((text, index) => ({ text, file, line: index + 1 }));

/**
 * The TypeScript of a page, and a problem for each block that does not name its language: nobody could tell whether it is
 * code.
 * @param {string} file
 * @param {string} text
 */
export function codeOfPage(file, text) {
  const fenced = fencedBlocks(linesOf(file, text));
  return {
    blocks: fenced.filter(({ language }) => CODE_LANGUAGES.includes(language)).map(({ block }) => block),
    problems: fenced
      .filter(({ language }) => language === '')
      .map(
        ({ opening }) =>
          `${file}:${opening.line}: the block names no language: write \`\`\`ts for code that is checked, else text, sh or json.`,
      ),
  };
}

const DOCBLOCK = /\/\*\*[^]*?\*\//g;

/**
 * The examples in the docblocks of a part of a source. An example is what follows `@example`, up to the next tag: the
 * TypeScript blocks in it, or all of it when it has no block.
 * @param {string} file
 * @param {string} text the whole source
 * @param {number} start of the part
 * @param {number} end of the part
 * @returns {readonly CodeBlock[]}
 */
export function codeOfDocblocks(file, text, start, end) {
  return [...text.slice(start, end).matchAll(DOCBLOCK)].flatMap(({ 0: docblock, index }) => {
    const before = text.slice(0, start + index).split('\n').length - 1;
    return examplesIn(
      linesOf(file, docblock.slice('/**'.length, -'*/'.length)).map(({ text, line }, position) => ({
        text: position === 0 ? text.trimStart() : text.replace(/^\s*\* ?/, ''),
        file,
        line: before + line,
      })),
    );
  });
}

/**
 * @param {readonly CodeLine[]} docblock its lines without their stars
 * @returns {readonly CodeBlock[]}
 */
function examplesIn(docblock) {
  /** @type {CodeLine[][]} */
  const examples = [];
  let current = null;
  let fenced = false;
  for (const line of docblock) {
    if (FENCE.test(line.text)) fenced = !fenced;
    const [, tag, rest = ''] = (fenced ? null : /^@(\w+)(.*)$/.exec(line.text)) ?? [];
    if (tag === 'example') examples.push((current = [{ ...line, text: rest.trim() }]));
    else if (tag !== undefined) current = null;
    else current?.push(line);
  }
  return examples.flatMap((example) => {
    const fences = fencedBlocks(example);
    if (fences.length === 0) return [example];
    return fences.filter(({ language }) => CODE_LANGUAGES.includes(language)).map(({ block }) => block);
  });
}

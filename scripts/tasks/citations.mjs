// What the texts of the repository cite: rules of docs/rules and docs/program.md, such as `access#grace-while-unpaid`, and
// pages by link.

import { posix } from 'node:path';

/**
 * @typedef {ReadonlyMap<string, string>} Texts the text of each file by its path from the root
 * @typedef {{ kept: boolean }} Rule whether the code keeps it; when not, its section says so
 */

const RULES_PAGE = /^docs\/(?:rules\/([^/]+)|(program))\.md$/;

/** A citation of a rule: its page and its anchor. It is not part of an address or of a link to a file. */
const CITATION = /(?<![\w./-])([a-z][a-z-]*)#([a-z0-9][a-z0-9-]*)/g;

/** What cites a page that is not in the repository, with what to write instead. */
const OUTSIDE_PAGES = [
  /\bD\d{1,2}(?:\.\d+)*\b/g,
  /\b\w+\.md \d+(?:\.\d+)*/g,
  /(?<!\bRFC \d+,? )\bsections? \d+(?:\.\d+)*/gi,
  /§ ?\d+(?:\.\d+)*/g,
  /\b[Cc]ontract, [A-Z]\w+/g,
];

/**
 * The anchor that GitHub gives a heading.
 * @param {string} heading
 */
export const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/**
 * Every rule of the rules pages by its citation. A rule is a `##` heading with the text under it.
 * @param {Texts} texts
 * @returns {ReadonlyMap<string, Rule>}
 */
export function rulesOf(texts) {
  /** @type {Map<string, Rule>} */
  const rules = new Map();
  for (const [path, text] of texts) {
    const [, subject, program] = RULES_PAGE.exec(path) ?? [];
    const page = subject ?? program;
    if (page === undefined) continue;
    for (const section of text.split(/^## /m).slice(1)) {
      const [heading = ''] = section.split('\n', 1);
      rules.set(`${page}#${anchorOf(heading)}`, { kept: !/^> Not yet kept:/m.test(section) });
    }
  }
  return rules;
}

/**
 * The rules that a text cites.
 * @param {string} text
 */
export const citationsIn = (text) => [...text.matchAll(CITATION)].map(([citation]) => citation);

/**
 * Whether a file is a test: a `.test.ts` file, a file in a folder of tests, or a conformance kit, which every adapter runs.
 * @param {string} path
 */
const isTest = (path) =>
  /\.test\.ts$|(^|\/)tests\//.test(path) || path.startsWith('packages/core/src/testing/');

/**
 * A problem for each citation of a rule that does not exist.
 * @param {Texts} texts
 */
export function unknownRules(texts) {
  const rules = rulesOf(texts);
  return [...texts].flatMap(([path, text]) =>
    citationsIn(text)
      .filter((citation) => !rules.has(citation))
      .map((citation) => `${path} cites ${citation}, and no rules page has that heading.`),
  );
}

/**
 * A problem for each rule that the code keeps and that no test cites.
 * @param {Texts} texts
 */
export function untestedRules(texts) {
  const cited = new Set([...texts].flatMap(([path, text]) => (isTest(path) ? citationsIn(text) : [])));
  return [...rulesOf(texts)]
    .filter(([citation, { kept }]) => kept && !cited.has(citation))
    .map(
      ([citation]) =>
        `No test cites ${citation}. Cite it above the test that shows it, or mark it "> Not yet kept:".`,
    );
}

/**
 * A problem for each citation of a page that a reader of the repository does not have.
 * @param {Texts} texts
 */
export function outsideCitations(texts) {
  return [...texts].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        OUTSIDE_PAGES.flatMap((pattern) => line.match(pattern) ?? []).map(
          (citation) =>
            `${path}:${index + 1} cites "${citation}", which is not in the repository. State the rule or cite its anchor.`,
        ),
      ),
  );
}

/**
 * A problem for each citation of a rule in the declarations that a package publishes: its users do not have the pages.
 * @param {Texts} declarations
 */
export function citingDeclarations(declarations) {
  return [...declarations].flatMap(([path, text]) =>
    citationsIn(text).map(
      (citation) => `${path} cites ${citation}. A published type states the rule in words and cites nothing.`,
    ),
  );
}

/**
 * The anchors of a page: one for each heading, numbered where a heading repeats an earlier one.
 * @param {string} page
 */
function anchorsOf(page) {
  /** @type {Set<string>} */
  const anchors = new Set();
  for (const [, heading = ''] of page.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(heading);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/**
 * Whether a path names a file that was read, or a folder with such files. Other kinds of files are not checked.
 * @param {Texts} texts
 * @param {string} path
 */
const exists = (texts, path) =>
  !/\.(ts|mjs|js|md)$|\/[\w-]*$/.test(path) ||
  texts.has(path) ||
  [...texts.keys()].some((known) => known.startsWith(`${path.replace(/\/$/, '')}/`));

/**
 * A problem for each path of a source, a script or a page that a page names in backticks and that does not exist.
 * @param {Texts} texts
 */
export function missingPaths(texts) {
  return [...texts].flatMap(([path, text]) =>
    [
      ...(path.endsWith('.md') ? text : '').matchAll(
        /`((?:packages|tests|examples|scripts|docs)\/[\w./-]+)`/g,
      ),
    ]
      .filter(([, named = '']) => !exists(texts, named))
      .map(([, named]) => `${path} names ${named}, and there is no such file or folder.`),
  );
}

/**
 * A problem for each link from a page to a source or a page that does not exist, or to a heading that the page does not
 * have.
 * @param {Texts} texts
 */
export function brokenLinks(texts) {
  const problems = [];
  for (const [path, text] of texts) {
    if (!path.endsWith('.md')) continue;
    for (const [, target = '', anchor] of text.matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/g)) {
      const page = target === '' ? path : posix.join(posix.dirname(path), target);
      const linked = texts.get(page);
      if (!exists(texts, page)) problems.push(`${path} links to ${page}, and there is no such file.`);
      else if (linked !== undefined && anchor !== undefined && !anchorsOf(linked).has(anchor))
        problems.push(`${path} links to ${page}#${anchor}, and the page has no such heading.`);
    }
  }
  return problems;
}

// Checks what the repository cites: every cited rule exists, every rule that is kept is cited by a test, and
// the links and paths of pages lead somewhere. A rule is a heading of docs/rules or docs/program.md, cited by
// its page and anchor.

import { statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, readTexts } from './repository.mjs';

/** @typedef {ReadonlyMap<string, string>} Texts the text of each file by its path from the root */

/** A citation of a rule. It is not part of an address or of a link to a file. */
const CITATION = /(?<![\w./-])([a-z][a-z-]*)#([a-z0-9][a-z0-9-]*)/g;

/** A path of this repository that a page names in backticks. */
const NAMED = /`((?:packages|tests|examples|scripts|docs)\/[\w./-]+)`/g;

/**
 * Tests: test files, folders of tests, and the conformance kits, which every adapter runs.
 */
const TEST = /\.test\.ts$|(^|\/)tests\/|^packages\/core\/src\/testing\//;

/**
 * The anchor that GitHub gives a heading.
 * @param {string} heading
 */
const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/**
 * The anchors of a page: one for each heading, numbered where a heading repeats an earlier one.
 * @param {string} page
 */
const anchorsOf = (page) =>
  [...page.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)]
    .map(([, heading = '']) => anchorOf(heading))
    .map((anchor, index, all) => {
      const earlier = all.slice(0, index).filter((other) => other === anchor).length;
      return earlier === 0 ? anchor : `${anchor}-${earlier}`;
    });

/**
 * Every rule by its citation, with whether the code keeps it; when not, its section says so.
 * @param {Texts} texts
 */
function rulesOf(texts) {
  /** @type {Map<string, boolean>} */
  const rules = new Map();
  for (const [path, text] of texts) {
    const [, page] = /^docs\/(?:rules\/)?([^/]+)\.md$/.exec(path) ?? [];
    if (page === undefined || (page !== 'program' && !path.startsWith('docs/rules/'))) continue;
    for (const section of text.split(/^## /m).slice(1)) {
      const [heading = ''] = section.split('\n', 1);
      rules.set(`${page}#${anchorOf(heading)}`, !/^> Not yet kept:/m.test(section));
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
 * A problem for each link or path of a page that leads nowhere.
 * @param {Texts} texts
 * @param {string} path of the page
 * @param {string} text
 */
function deadEnds(texts, path, text) {
  // A file that git ignores is not there, nor is an empty folder, although it is on the disk.
  const exists = (/** @type {string} */ path) =>
    [...texts.keys()].some((known) => `${known}/`.startsWith(path.replace(/\/?$/, '/'))) ||
    (!/\.(ts|mjs|js|md)$/.test(path) && statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile());
  const links = [...text.matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, target = '', anchor]) => {
    const page = target === '' ? path : posix.join(posix.dirname(path), target);
    const linked = texts.get(page);
    if (!exists(page)) return [`${path} links to ${page}, and there is no such file.`];
    if (linked === undefined || anchor === undefined || anchorsOf(linked).includes(anchor)) return [];
    return [`${path} links to ${page}#${anchor}, and the page has no such heading.`];
  });
  const named = [...text.matchAll(NAMED)].map(([, name = '']) => name).filter((name) => !exists(name));
  return [...links, ...named.map((name) => `${path} names ${name}, and there is no such file or folder.`)];
}

/**
 * A problem for each citation, link and path that leads nowhere, and for each rule that the code keeps and no
 * test cites.
 * @param {Texts} texts
 */
export function problemsOfRules(texts) {
  const rules = rulesOf(texts);
  const cited = new Set([...texts].flatMap(([path, text]) => (TEST.test(path) ? citationsIn(text) : [])));
  const untested = [...rules].flatMap(([citation, isKept]) =>
    isKept && !cited.has(citation)
      ? [`No test cites ${citation}. Cite it above the test that shows it, or mark it "> Not yet kept:".`]
      : [],
  );
  const lost = [...texts].flatMap(([path, text]) => [
    ...citationsIn(text)
      .filter((citation) => !rules.has(citation))
      .map((citation) => `${path} cites ${citation}, and no rules page has that heading.`),
    ...(path.endsWith('.md') ? deadEnds(texts, path, text) : []),
  ]);
  return [...untested, ...lost];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = problemsOfRules(readTexts());
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

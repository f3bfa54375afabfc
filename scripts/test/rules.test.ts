import { describe, expect, it } from 'vitest';
import {
  anchorOf,
  brokenLinks,
  citingDeclarations,
  missingPaths,
  outsideCitations,
  rulesOf,
  unknownRules,
  untestedRules,
} from '../tasks/citations.mjs';

/** A citation, put together here so that the check does not find one in this file. */
const cite = (page: string, anchor: string) => `${page}#${anchor}`;

const PAGE = `# Trees

Intro.

## Oaks keep their leaves

They do.

## Birches bend

> Not yet kept: they break.

Text.
`;

const OAK = cite('trees', 'oaks-keep-their-leaves');
const BIRCH = cite('trees', 'birches-bend');

/** A repository with one page of two rules and one test, which cites the rule that is kept. */
const repository = (files: Readonly<Record<string, string>> = {}) =>
  new Map(
    Object.entries({
      'docs/rules/trees.md': PAGE,
      'packages/core/src/oak.test.ts': `// ${OAK}\nit('keeps its leaves', () => {});`,
      ...files,
    }),
  );

describe('the rules of the pages', () => {
  it('are the headings of the second level, with whether the code keeps them', () => {
    expect([...rulesOf(repository())]).toEqual([
      [OAK, { kept: true }],
      [BIRCH, { kept: false }],
    ]);
  });

  it('have the anchor that GitHub gives the heading', () => {
    expect(anchorOf('CPI guard, and more: `memo`')).toBe('cpi-guard-and-more-memo');
  });
});

describe('a cited rule exists', () => {
  it('passes when it does', () => {
    expect(unknownRules(repository({ 'packages/core/src/birch.ts': `// (${BIRCH})` }))).toEqual([]);
  });

  it.each([
    ['packages/core/src/oak.ts', cite('trees', 'oaks-lose-their-leaves')],
    ['packages/core/src/oak.test.ts', cite('woods', 'birches-bend')],
    ['tests/service/src/oak.test.ts', cite('trees', 'oaks')],
    ['examples/embed/src/oak.ts', cite('trees', 'oaks')],
    ['scripts/oak.mjs', cite('trees', 'oaks')],
    ['docs/oak.md', cite('trees', 'oaks')],
  ])('%s may not cite %s', (path, citation) => {
    expect(unknownRules(repository({ [path]: `// Oaks (${citation}).` }))).toEqual([
      `${path} cites ${citation}, and no rules page has that heading.`,
    ]);
  });

  it('an address with a fragment cites no rule', () => {
    const text = 'https://example.com/trees#oaks and [oaks](rules/trees.md#oaks)';
    expect(unknownRules(repository({ 'docs/oak.md': text }))).toEqual([]);
  });
});

describe('a rule that is kept is cited by a test', () => {
  it.each([
    'packages/core/src/oak.test.ts',
    'packages/core/src/http/tests/oak.ts',
    'packages/core/src/testing/store/oak.ts',
    'tests/world/src/oak.ts',
  ])('%s counts', (path) => {
    const texts = repository({ 'packages/core/src/oak.test.ts': '', [path]: `// ${OAK}` });
    expect(untestedRules(texts)).toEqual([]);
  });

  it.each(['packages/core/src/oak.ts', 'docs/rules/oaks.md', 'examples/embed/src/oak.ts'])(
    '%s does not count',
    (path) => {
      const texts = repository({ 'packages/core/src/oak.test.ts': '', [path]: `// ${OAK}` });
      expect(untestedRules(texts)).toEqual([expect.stringContaining(`No test cites ${OAK}.`)]);
    },
  );

  it('requires a test as soon as the page no longer marks the rule as not kept', () => {
    const kept = PAGE.replace('> Not yet kept: they break.', 'They bend.');
    expect(untestedRules(repository({ 'docs/rules/trees.md': kept }))).toEqual([
      expect.stringContaining(`No test cites ${BIRCH}.`),
    ]);
  });

  it('requires a test for a rule of docs/program.md too', () => {
    expect(untestedRules(repository({ 'docs/program.md': '# Program\n\n## Rent\n' }))).toEqual([
      expect.stringContaining(`No test cites ${cite('program', 'rent')}.`),
    ]);
  });
});

describe('nothing cites a page that is not in the repository', () => {
  it.each([
    ['D', '7.1'],
    ['D', '26'],
    ['program.md', ' 4.3'],
    ['section', ' 10'],
    ['Sections', ' 1'],
    ['§', '4.2'],
    ['contract', ', States'],
  ])('%s%s is refused', (page, part) => {
    const texts = repository({ 'packages/core/src/oak.ts': `\n/** Oaks (${page}${part}). */` });
    expect(outsideCitations(texts)).toEqual([
      expect.stringContaining(`packages/core/src/oak.ts:2 cites "${page}${part}"`),
    ]);
  });

  it.each(['RFC 9112 section 3.2.2', 'RFC 8032, section 7.1', 'program.md', 'the section on oaks'])(
    '%s passes',
    (text) => {
      expect(outsideCitations(repository({ 'docs/oak.md': text }))).toEqual([]);
    },
  );
});

describe('a link in a page leads to a file and a heading', () => {
  it.each([
    'rules/trees.md',
    'rules/trees.md#birches-bend',
    '../CONTRIBUTING.md',
    '#oaks',
    'https://a.example/b.md',
  ])('%s passes', (target) => {
    const texts = repository({ 'docs/oak.md': `# Oaks\n\n[here](${target})`, 'CONTRIBUTING.md': '' });
    expect(brokenLinks(texts)).toEqual([]);
  });

  it.each(['trees.md', 'rules/trees.md#pines', '#pines', '../packages/core/src/pine.ts'])(
    '%s is refused',
    (target) => {
      expect(brokenLinks(repository({ 'docs/oak.md': `# Oaks\n\n[here](${target})` }))).toHaveLength(1);
    },
  );

  it('numbers the anchors of a heading that repeats', () => {
    const page = '# Oaks\n\n## Leaf\n\n## Leaf\n\n[the second](#leaf-1), [a third](#leaf-2)';
    expect(brokenLinks(repository({ 'docs/oak.md': page }))).toEqual([
      'docs/oak.md links to docs/oak.md#leaf-2, and the page has no such heading.',
    ]);
  });
});

describe('a path in a page names a file or a folder', () => {
  it.each([
    'packages/core/src/oak.test.ts',
    'packages/core',
    'docs/rules/',
    'packages/core/src/*',
    'scripts/oak.sh',
  ])('%s passes', (named) => {
    expect(missingPaths(repository({ 'docs/oak.md': `Read \`${named}\`.` }))).toEqual([]);
  });

  it.each(['packages/core/src/pine.ts', 'packages/woods', 'docs/pine.md'])('%s is refused', (named) => {
    expect(missingPaths(repository({ 'docs/oak.md': `Read \`${named}\`.` }))).toEqual([
      `docs/oak.md names ${named}, and there is no such file or folder.`,
    ]);
  });
});

describe('published declarations cite no rule', () => {
  it('a docblock in words passes, and one with a citation is refused', () => {
    const path = '@subrail/core/dist/index.d.ts';
    expect(citingDeclarations(new Map([[path, '/** An oak keeps its leaves. */']]))).toEqual([]);
    expect(citingDeclarations(new Map([[path, `/** An oak (${OAK}). */`]]))).toEqual([
      expect.stringContaining(`${path} cites ${OAK}.`),
    ]);
  });
});

import { expect, it } from 'vitest';
import { problemsOfRules } from '../tasks/rules.mjs';

/** A citation, put together here so that the check does not find one in this file. */
const cite = (page: string, anchor: string) => `${page}#${anchor}`;

const PAGE =
  '# Trees\n\n## Oaks: `keep`, leaves\n\nThey do.\n\n## Birches bend\n\n> Not yet kept: they break.\n';
const [OAK, BIRCH] = [cite('trees', 'oaks-keep-leaves'), cite('trees', 'birches-bend')];

/**
 * The problems of a repository with two rules, the first of which is kept and cited by a test, and of some
 * more files.
 */
const problems = (files: Readonly<Record<string, string>> = {}) => {
  const test = { 'packages/core/src/oak.test.ts': `// ${OAK}\n`, 'docs/rules/trees.md': PAGE };
  return problemsOfRules(new Map(Object.entries({ ...test, ...files })));
};

it('has nothing against what leads somewhere', () => {
  const page = `# Oaks\n\n## Leaf\n\n## Leaf\n\n${BIRCH}, https://a.example/${OAK}s, \`packages/core\`, \`deploy/compose.yaml\`,
    [a](rules/trees.md#birches-bend), [b](#leaf-1), [c](https://a.example/b.md), [d](rules/trees.md)`;
  expect(problems({ 'docs/oak.md': page })).toEqual([]);
});

it.each([
  ['packages/core/src/oak.ts', cite('trees', 'oaks'), /cites trees.oaks, and no rules page has that heading/],
  ['docs/oak.md', cite('woods', 'birches-bend'), /cites woods.birches-bend, and no rules page/],
  ['packages/core/src/oak.test.ts', '', /^No test cites trees.oaks-keep-leaves\./],
  ['docs/rules/trees.md', PAGE.replace('> Not', 'Not'), /^No test cites trees.birches-bend\./],
  ['docs/program.md', '# Program\n\n## Rent\n', /^No test cites program.rent\./],
  ['docs/oak.md', '[a](trees.md)', /links to docs\/trees\.md, and there is no such file/],
  [
    'docs/oak.md',
    '[a](rules/trees.md#pines)',
    /links to docs\/rules\/trees\.md#pines, and the page has no such heading/,
  ],
  ['docs/oak.md', '[a](../packages/core/src/pine.ts)', /links to packages\/core\/src\/pine\.ts/],
  ['docs/oak.md', '`packages/adapters`', /names packages\/adapters/],
])('%s with %j is refused', (path, text, problem) => {
  expect(problems({ [path]: text })).toEqual([expect.stringMatching(problem)]);
});

it.each([
  ['packages/core/src/http/tests/oak.ts', 0],
  ['packages/core/src/testing/store/oak.ts', 0],
  ['packages/core/src/oak.ts', 1],
])('what %s cites leaves %d rules without a test', (path, count) => {
  expect(problems({ 'packages/core/src/oak.test.ts': '', [path]: `// ${OAK}` })).toHaveLength(count);
});

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemsOfExamples } from '../tasks/examples.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** The entry point of a package with examples. Each line that must be reported names its fault. */
const SOURCE = `/**
 * An oak.
 *
 * @example
 * const tree: Oak = plant('oak');
 * plant(1); // reported
 * @throws TypeError which is no code
 */
export function plant(name: string): Oak {
  return { name, grow: () => name };
}

/** A tree. */
export interface Oak {
  readonly name: string;
  /**
   * Grows.
   *
   * @example plant('oak').shrink(); // reported
   */
  grow(): string;
}

/**
 * A leaf.
 *
 * @example
 * Leaves in words, which are no code.
 *
 * \`\`\`ts
 * const leaf: number = leaf0; // reported
 * \`\`\`
 *
 * \`\`\`sh
 * rake leaves
 * \`\`\`
 *
 * @example
 * import { leaf0 } from 'oak';
 * const bark: number = leaf0 + plant('oak').name; // reported
 *
 * @example
 * export const forest = [plant('oak'), plant(2)]; // reported
 *
 * @example
 * // A name of its own, and one that every example has.
 * const leaf0 = await Promise.resolve(first.name);
 */
export const leaf0 = 'green';

/** A twig. */
export const twig = (() => {
  /** @example twig.of(1); // reported */
  function grow() {}
  return { grow };
})();

/** @example hidden('is not exported'); */
function hidden() {}
void hidden;

/** @example const tree: bark = 'oak'; */
export type bark = string;
export { pine as fir } from './pine.js';
export { z } from 'zod';
`;

const PAGE = `# Oaks

\`\`\`ts
import { plant } from 'oak';

const oak = plant('oak');
\`\`\`

What follows continues it:

\`\`\`typescript
oak.grow();
oak.fell(); // reported
\`\`\`

\`\`\`ts
// wood.ts
export const oaks = ['green'];
export const pines: string = oaks; // reported
\`\`\`

Another block may import it:

\`\`\`ts
import { oaks } from './wood.js';

const all: number[] = oaks; // reported
\`\`\`

1. In a list:

   \`\`\`ts
   import { leaf0, oops } from 'oak'; // reported
   const oak: string = leaf0;
   \`\`\`

\`\`\`sh
oak.fell
\`\`\`

~~~json
{ "oak": oak.fell() }
~~~

\`\`\`
oak.fell(); // the line above is reported
\`\`\`

\`\`\`ts
import type { Oak } from 'oak';

const second: Oak | undefined = [first][1];
const third: Oak = [first][1]; // reported
const address: URL = request; // reported
`;

let folder = '';
let problems: readonly string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-examples-'));
  const file = join(folder, 'index.ts');
  writeFileSync(file, SOURCE);
  writeFileSync(join(folder, 'pine.ts'), '/** A tree. */\nexport const oak = 1;\nexport const pine = 2;');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const names = join(folder, 'names.ts');
  writeFileSync(names, "declare const first: import('oak').Oak;\ndeclare const request: Request;\n");
  const pages = new Map([['docs/oak.md', PAGE]]);
  const shown = { pages, entryPoints: [{ name: 'oak', file }], folder: join(folder, 'compiled'), names };
  problems = (await problemsOfExamples(shown)).map((problem) => problem.replace(folder, 'oak'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The lines of a text that say that they are reported, from 1. */
const marked = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, index) => (line.includes('// reported') ? [index + 1] : []));

/** The lines that were reported of a file, and what was said of each. */
const reported = (file: string): ReadonlyMap<number, string> =>
  new Map(
    problems
      .map((problem) => /^(.+?):(\d+): ([^]*)$/.exec(problem) ?? [])
      .filter(([, path]) => path === file)
      .map(([, , line, message = '']) => [Number(line), message]),
  );

const lineOf = (place: string, text: string) => text.split('\n').findIndex((line) => line.includes(place));

it.each([
  ['oak/index.ts', marked(SOURCE)],
  ['docs/oak.md', [...marked(PAGE), lineOf('the line above is reported', PAGE)].sort((a, b) => a - b)],
])('each fault of %s is reported at its line, and no other line', (file, lines) => {
  expect([...reported(file).keys()].sort((a, b) => a - b)).toEqual(lines);
});

it('says what is wrong as the compiler does, and that a block names no language', () => {
  const messages = reported('docs/oak.md');
  expect(messages.get(marked(PAGE)[0] ?? 0)).toBe("Property 'fell' does not exist on type 'Oak'.");
  expect(messages.get(lineOf('the line above is reported', PAGE))).toContain('names no language');
});

it('reports what is exported without words that say what it is, and nothing of another file', () => {
  expect(problems.filter((problem) => !/^(oak\/index\.ts|docs\/oak\.md):\d+: /.test(problem))).toEqual([
    'oak/index.ts: bark is exported without a docblock.',
    'oak/pine.ts: fir is exported without a docblock.',
  ]);
});

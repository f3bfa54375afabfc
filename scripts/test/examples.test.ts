import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenExamples } from '../tasks/examples.mjs';

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

export const twig = (() => {
  /** @example twig.of(1); // reported */
  function grow() {}
  return { grow };
})();

/** @example hidden('is not exported'); */
function hidden() {}
void hidden;
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

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-examples-'));
  const file = join(folder, 'index.ts');
  writeFileSync(file, SOURCE);
  const names = join(folder, 'names.ts');
  writeFileSync(names, "declare const first: import('oak').Oak;\ndeclare const request: Request;\n");
  const entryPoints = [{ name: 'oak', file }];
  problems = brokenExamples({ pages: new Map([['docs/oak.md', PAGE]]), entryPoints }, names).map((problem) =>
    problem.replace(folder, 'oak'),
  );
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

describe('the check of examples', () => {
  it('reports each fault of a docblock, at its line in the source, and no other line', () => {
    expect([...reported('oak/index.ts').keys()].sort((a, b) => a - b)).toEqual(marked(SOURCE));
  });

  it('reports each fault of a page, at its line in the page, and no other line', () => {
    const unnamed = PAGE.split('\n').findIndex((line) => line.includes('the line above'));
    expect([...reported('docs/oak.md').keys()].sort((a, b) => a - b)).toEqual(
      [...marked(PAGE), unnamed].sort((a, b) => a - b),
    );
    expect(reported('docs/oak.md').get(unnamed)).toContain('names no language');
  });

  it('says what is wrong as the compiler does', () => {
    const [line = 0] = marked(PAGE);
    expect(reported('docs/oak.md').get(line)).toBe("Property 'fell' does not exist on type 'Oak'.");
  });

  it('reports nothing of another file', () => {
    const files = problems.map((problem) => problem.replace(/:\d+: [^]*$/, ''));
    expect(new Set(files)).toEqual(new Set(['oak/index.ts', 'docs/oak.md']));
  });
});

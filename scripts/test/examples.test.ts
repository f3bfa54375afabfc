import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemsOfExamples } from '../tasks/examples.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** A source of a package with examples. Each line that must be reported says so. */
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
 * import { leaf0 } from 'oak';
 * const bark: number = leaf0 + plant('oak').name; // reported
 *
 * @example
 * // A name of its own, and one that every example has.
 * const leaf0 = await Promise.resolve(first.name);
 */
export const leaf0 = 'green';

export type bark = string;
`;

const PAGE = `# Oaks

\`\`\`ts
import { plant } from 'oak';

const oak = plant('oak');
\`\`\`

What follows continues it:

\`\`\`ts
oak.grow();
oak.fell(); // reported
\`\`\`

\`\`\`ts
// wood.ts
export const oaks = ['green'];
export const pines: string = oaks; // reported
\`\`\`

Another block may import it:

1. In a list:

   \`\`\`ts
   import { oaks } from './wood.js';
   const all: number[] = oaks; // reported
   \`\`\`

\`\`\`sh
oak.fell
\`\`\`

\`\`\`
oak.fell(); // the line above is reported
\`\`\`

\`\`\`typescript
oak.fell(); // the line above is reported
\`\`\`

~~~ts
oak.fell(); // the line above is reported
~~~

\`\`\`ts
import type { Oak } from 'oak';

const second: Oak | undefined = [first][1];
const third: Oak = [first][1]; // reported
\`\`\`
`;

let folder = '';
let problems: readonly string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-examples-'));
  const file = join(folder, 'index.ts');
  writeFileSync(file, SOURCE);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  problems = await problemsOfExamples({
    pages: new Map([['docs/oak.md', PAGE]]),
    packages: [{ sources: new Map([['oak.ts', SOURCE]]), entryPoints: [{ name: 'oak', file }] }],
    folder: join(folder, 'compiled'),
    names: "declare const first: import('oak').Oak;\n",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('each fault is reported at its line, and no other line', () => {
  const marked = (file: string, text: string) =>
    text.split('\n').flatMap((line, index) => {
      if (line.includes('// the line above')) return [`${file}:${index}`];
      return line.includes('// reported') ? [`${file}:${index + 1}`] : [];
    });
  expect(problems.flatMap((problem) => /^\S+:\d+(?=: )/.exec(problem) ?? []).toSorted()).toEqual(
    [...marked('docs/oak.md', PAGE), ...marked('oak.ts', SOURCE)].toSorted(),
  );
});

it('says what is wrong as the compiler does, what has another language or fence, and what has no docblock', () => {
  const line = PAGE.split('\n').findIndex((text) => text.includes('oak.fell();')) + 1;
  expect(problems).toContain(`docs/oak.md:${line}: Property 'fell' does not exist on type 'Oak'.`);
  expect(problems.join('\n').match(/: write ```ts before a block of code/g)).toHaveLength(3);
  expect(problems).toContain('oak exports bark without a docblock.');
});

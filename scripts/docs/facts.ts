import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from '../../packages/core/src/operation-table.js';
import { ROOT } from '../tasks/repository.mjs';

/** A docblock, and the declaration of an operation below it, up to its path. */
const DECLARED =
  /\/\*\*\n((?: +\*.*\n)+?) +\*\/\n +\w+: operation<(?:(?!\/\*\*)[\s\S])*?method: '(GET|POST)',\n +path: '([^']+)'/g;

/** The docblock of each operation without its example, by the method and the path. */
function docblocks(): ReadonlyMap<string, string> {
  const files = ['operations', 'management'].flatMap((layer) => {
    const folder = join(ROOT, 'packages/core/src', layer);
    return readdirSync(folder).map((group) => join(folder, group, 'operations.ts'));
  });
  return new Map(
    files.filter(existsSync).flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      return Array.from(source.matchAll(DECLARED), ([, block = '', method = '', path = '']) => {
        const text = block.replace(/^ +\* ?/gm, '').split('\n@example')[0] ?? '';
        return [`${method} ${path}`, text.trim().replace(/(?<!\n)\n(?!\n)/g, ' ')] as const;
      });
    }),
  );
}

/** The facts of every operation as a source: a docblock is not there when the service runs. */
export function factsSource(): string {
  const blocks = docblocks();
  const lines = OPERATIONS.map(({ name, method, path, summary }) => {
    // A function with several signatures has a docblock for each, and none above its declaration.
    const text = blocks.get(`${method} ${path}`) ?? summary;
    return `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`;
  });
  return `// Made by \`npm run docs\` from the docblocks of the operations.\n\n/** What each operation does, by its name. */\nexport const FACTS: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`;
}

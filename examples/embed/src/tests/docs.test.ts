import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const codeOf = (page: string): readonly string[] =>
  [...read(`../../../../docs/${page}`).matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);

it('docs/by-hand.md shows all the code of the example, part by part', () => {
  const files = ['set-up', 'checkout'].map((name) => read(`../${name}.ts`));
  expect(codeOf('by-hand.md').join('\n')).toBe(files.join('\n'));
});

it('docs/webhooks.md shows all the code of the receivers, file by file', () => {
  const files = readdirSync(new URL('../webhooks', import.meta.url));
  const shown = files.map((file) => `// ${file}\n${read(`../webhooks/${file}`)}`);
  expect([...codeOf('webhooks.md')].sort()).toEqual(shown.sort());
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('docs/checkout.md shows all the code of the example, part by part', () => {
  const page = read('../../../../docs/checkout.md');
  const parts = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  const files = ['set-up', 'checkout', 'webhooks'].map((name) => read(`../${name}.ts`));
  expect(parts.join('\n')).toBe(files.join('\n'));
});

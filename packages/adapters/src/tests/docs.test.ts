import { readdirSync, readFileSync } from 'node:fs';
import { storeConformance } from '@subrail/core/testing';
import { expect, it } from 'vitest';

/** A file as a page shows it: without the line that says why a run of it takes long, and with the imports of a user. */
const read = (path: string): string =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .replace(/^\/\/ Heavy: .*\n\n/, '')
    .replace("'./index.js'", "'@subrail/adapters/memory'")
    .replace("'../index.js'", "'@subrail/adapters/kysely'");

const page = read('../../../../docs/adapters.md');

it('docs/adapters.md shows the store, the dialect, the sender and how they are tested, each as its file is', () => {
  const parts = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  const files = [
    '../memory/store.test.ts',
    '../sqlite/tests/stores-on-one-file.ts',
    '../memory/store.ts',
    '../kysely/tests/waiting-sqlite.ts',
    '../http/tests/undici-sender.test.ts',
    '../http/tests/undici-sender.ts',
  ];
  expect(parts).toEqual(files.map(read));
});

it('docs/adapters.md names only promises that the kits test', () => {
  const promises = new Set<string>();
  storeConformance(
    (name) => promises.add(name),
    () => Promise.reject(new Error('No test is run.')),
  );
  const mistakes = page.slice(page.indexOf('### Common mistakes'), page.indexOf('### How long it takes'));
  const named = [...mistakes.matchAll(/\| `([^`]+)`[^|]*\|$/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter((name) => !promises.has(name ?? ''))).toEqual([]);
  expect(page).toContain(`The kit has ${promises.size} tests`);
});

it('docs/adapters.md says how long the store is', () => {
  const linesIn = (folder: string) =>
    readdirSync(new URL(`../memory/${folder}`, import.meta.url))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => read(`../memory/${folder}${name}`).trimEnd().split('\n').length)
      .reduce((sum, lines) => sum + lines, 0);
  const tens = (lines: number) => (Math.round(lines / 10) * 10).toLocaleString('en');
  const [operations, others] = [linesIn('stores/'), linesIn('')];
  expect(page).toContain(
    `about ${tens(operations + others)} lines: ${tens(operations)} for the operations, and ${tens(others)} for its tables`,
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import type { Store } from '@subrail/core/ports';
import { storeConformance, withCapabilities, type StoreConformanceOptions } from '@subrail/core/testing';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../memory/index.js';
import { rawMemory } from '../memory/tests/raw-memory.js';

/** A file as a page shows it: without the line of `Heavy`, and with the imports of a user. */
const read = (path: string): string =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .replace(/^\/\/ Heavy: .*\n\n/, '')
    .replace("'./index.js'", "'@subrail/adapters/memory'")
    .replace("'../index.js'", `'@subrail/adapters/${path.split('/')[1] ?? ''}'`);

const page = read('../../../../docs/adapters.md');

it('docs/adapters.md shows the store, the dialect, the sender, the mailer and how they are tested, each as its file is', () => {
  const parts = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  const files = [
    '../memory/store.test.ts',
    '../sqlite/tests/stores-on-one-file.ts',
    '../memory/store.ts',
    '../kysely/tests/waiting-sqlite.ts',
    '../node/http-sender/tests/undici-sender.test.ts',
    '../node/http-sender/tests/undici-sender.ts',
    '../smtp/tests/conformance.test.ts',
  ];
  expect(parts).toEqual(files.map(read));
});

/** The tests of the kit for a store of these capabilities, volatile or not. */
function kit(
  store: Store,
  options: StoreConformanceOptions = {},
  raw = rawMemory(createMemoryStore().tables),
): ReadonlyMap<string, () => Promise<void>> {
  const tests = new Map<string, () => Promise<void>>();
  const open = async () => ({ store, peer: store, raw, close: async () => undefined });
  storeConformance((name, body) => tests.set(name, body), open, options);
  return tests;
}

it('docs/adapters.md names only promises that the kits test', () => {
  const promises = kit(createMemoryStore());
  const required = kit(createMemoryStore(), { capabilities: [] });
  const mistakes = page.slice(page.indexOf('### Common mistakes'), page.indexOf('### How long it takes'));
  const named = [...mistakes.matchAll(/\| `([^`]+)`[^|]*\|$/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter((name) => !promises.has(name ?? ''))).toEqual([]);
  const lengths = /The kit has (\d+) tests, (\d+) of them of the\srequired tier/.exec(page);
  expect(lengths?.slice(1).map(Number)).toEqual([promises.size, required.size]);
});

/** The methods of an interface of the port, in its order. */
function methodsOf(name: string): readonly string[] {
  const file = name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  const source = readFileSync(new URL(`../../../core/src/ports/store/${file}.ts`, import.meta.url), 'utf8');
  const [, body = ''] = source.split(`export interface ${name} {`);
  return [...body.matchAll(/^ {2}(\w+)\(/gm)].flatMap(([, method]) => method ?? []);
}

/** The rows of a table of the page that begin with these words: the name and the second column. */
function rowsOf(begin: string): readonly { readonly name: string; readonly cell: string }[] {
  const from = page.indexOf(begin);
  const table = page.slice(from, page.indexOf('\n\n', from));
  return [...table.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, name = '', cell = '']) => ({ name, cell }));
}

it('docs/adapters.md lists every method of the required tier, and counts those of each tier', () => {
  const required = rowsOf('| Interface | Methods |');
  for (const { name, cell } of required.filter((row) => row.name !== 'Store'))
    expect([name, cell]).toEqual([
      name,
      methodsOf(name)
        .map((method) => `\`${method}\``)
        .join(' '),
    ]);
  const listed = required.flatMap(({ cell }) => cell.replaceAll('`', '').split(' '));
  expect(Object.keys(withCapabilities(createMemoryStore(), [])).toSorted()).toEqual(listed.toSorted());
  for (const { name, cell } of rowsOf('| Tier | Methods |'))
    expect([name, Number(cell)]).toEqual([name, name === 'Store' ? listed.length : methodsOf(name).length]);
});

it('docs/adapters.md says how many tests pass after each interface', async () => {
  const table = page.slice(page.indexOf('| After |'), page.indexOf('Read `commit`'));
  const steps = [...table.matchAll(/^\| (`.*) \| (?:all )?(\d+) \|$/gm)];
  const written = new Set<string>();
  const passed: number[] = [];
  for (const [, step = ''] of steps) {
    for (const [, name = ''] of step.matchAll(/`(\w+)`/g))
      for (const method of name.endsWith('Store') ? methodsOf(name) : [name]) written.add(method);
    let count = 0;
    for (const name of kit(createMemoryStore(), { volatile: true, capabilities: [] }).keys()) {
      const { tables, ...full } = createMemoryStore();
      const store = Object.fromEntries(
        Object.entries(withCapabilities(full, [])).filter(([method]) => written.has(method)),
      ) as unknown as Store;
      const test = kit(store, { volatile: true, capabilities: [] }, rawMemory(tables)).get(name);
      count += await (test?.() ?? Promise.reject(new Error('No test.'))).then(
        () => 1,
        () => 0,
      );
    }
    passed.push(count);
  }
  expect(passed.at(-1)).toBe(kit(createMemoryStore(), { volatile: true, capabilities: [] }).size);
  expect(passed).toEqual(steps.map(([, , count]) => Number(count)));
});

it('docs/adapters.md says how long the store is', () => {
  const linesIn = (folder: string) =>
    readdirSync(new URL(`../memory/${folder}`, import.meta.url))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => read(`../memory/${folder}${name}`).trimEnd().split('\n').length)
      .reduce((sum, lines) => sum + lines, 0);
  const tens = (lines: number) => (Math.round(lines / 10) * 10).toLocaleString('en');
  const parts = [linesIn('required/'), linesIn('capabilities/'), linesIn('')] as const;
  const [whole, ...of] = [parts.reduce((sum, lines) => sum + lines, 0), ...parts].map(tens);
  const said = /about (\S+) lines: (\S+) for the\s.*?, (\S+) for those\s.*?, and (\S+) for its/s.exec(page);
  expect(said?.slice(1)).toEqual([whole, ...of]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages } from '../docs/pages.js';
import { ADAPTERS, CORE_LAYERS, PACKAGES } from '../import-table.mjs';
import { PAGE_MODULE, pageModule } from '../tasks/page.mjs';
import { ROOT } from '../tasks/repository.mjs';

it.each([...pages()])('%s is as `npm run docs` writes it', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});

it('the host serves the cancel page as its sources make it; if not, run `npm run page`', () => {
  expect(readFileSync(PAGE_MODULE, 'utf8')).toBe(pageModule());
});

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** The cells of the table row that starts with a name, under a heading. */
function row(heading: string, name: string): readonly string[] {
  const [, section = ''] = page.split(`# ${heading}\n`);
  const line = section.split('\n').find((text) => text.startsWith(`| \`${name}\` |`));
  return (line ?? '').split('|').slice(2, -1);
}

/** The names in backticks of a cell. */
const names = (cell = ''): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort();

const yes = (cell = ''): boolean => cell.trim() === 'yes';

describe('docs/architecture.md shows the import table as it is enforced', () => {
  it.each(Object.entries(PACKAGES))('%s', (folder, { siblings, modules, node }) => {
    const [, ours, npm, mayUseNode] = row('Packages', folder);
    expect(names(ours)).toEqual([...siblings].sort());
    expect(names(npm)).toEqual([...modules].sort());
    expect(yes(mayUseNode)).toBe(node);
  });

  it.each(Object.entries(ADAPTERS))('adapters/%s', (folder, { siblings, modules, node }) => {
    const [allowed, mayUseNode] = row('Adapters, one sub-path each', folder);
    expect(names(allowed)).toEqual([...siblings.map((name) => `adapters/${name}`), ...modules].sort());
    expect(yes(mayUseNode)).toBe(node);
  });

  /** Files that the page describes in a sentence. */
  const WITHOUT_ROW = ['billing', 'index', 'required-ports'];
  const folders = Object.entries(CORE_LAYERS).filter(([layer]) => !WITHOUT_ROW.includes(layer));
  it.each(folders)('core/%s', (layer, { layers, types }) => {
    const [, allowed] = row('Inside core', layer);
    expect(names(allowed)).toEqual([...layers, ...types].sort());
  });
});

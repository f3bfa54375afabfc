import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { postgresTraits, sqliteTraits } from '../index.js';

const page = readFileSync(new URL('../../../../../docs/adapters.md', import.meta.url), 'utf8');

describe('docs/adapters.md, on a database with a Kysely dialect', () => {
  it.each([
    ['sqlite', sqliteTraits],
    ['postgres', postgresTraits],
  ] as const)('explains every trait that %s has', (_, traits) => {
    const begin = page.indexOf('| Trait | What it says |');
    const rows = page.slice(begin, page.indexOf('\n\n', begin)).matchAll(/^\| `(\w+)(?:\(error\))?` \|/gm);
    expect(Array.from(rows, ([, name]) => name).sort()).toEqual(Object.keys(traits).sort());
  });
});

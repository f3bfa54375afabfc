import { join } from 'node:path';
import { openApiDocument } from '@subrail/core';
import { describe, expect, it } from 'vitest';
import { coveragePage } from './page.js';
import { reachedByAll } from './recorder.js';
import { everyRow } from './rows.js';
import { schemasOf } from './schemas.js';
import { EXCEPTIONS } from './exceptions.js';

const document = openApiDocument();
const rows = everyRow(document, schemasOf(document));
const reached = reachedByAll();
const PAGE = join(import.meta.dirname, '../../../../docs/evidence/coverage.md');

describe('the coverage of the contract suite', () => {
  it('reaches everything the contract can answer, apart from the listed exceptions', () => {
    expect([...rows].filter((row) => !reached.has(row) && !(row in EXCEPTIONS)).sort()).toEqual([]);
  });

  it('reaches no listed exception', () => {
    expect([...reached].filter(([row]) => row in EXCEPTIONS)).toEqual([]);
  });

  it('lists no exception that the contract does not have', () => {
    expect(Object.keys(EXCEPTIONS).filter((row) => !rows.has(row))).toEqual([]);
  });

  it('reaches no answer that the contract does not have', () => {
    expect([...reached.keys()].filter((row) => !rows.has(row)).sort()).toEqual([]);
  });

  it('is written to docs/evidence/coverage.md', async () => {
    await expect(coveragePage(rows, reached, EXCEPTIONS)).toMatchFileSnapshot(PAGE);
  });
});

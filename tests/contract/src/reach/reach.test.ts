import { join } from 'node:path';
import { openApiDocument } from '@subrail/core';
import { describe, expect, it } from 'vitest';
import { coveragePage } from './page.js';
import { reachedByAll } from './recorder.js';
import { everyRow } from './rows.js';
import { schemasOf } from './schemas.js';
import { WAITS_FOR } from './waits-for.js';

const document = openApiDocument();
const rows = everyRow(document, schemasOf(document));
const reached = reachedByAll();
const PAGE = join(import.meta.dirname, '../../../../../docs/coverage.md');

describe('the contract suite', () => {
  it('reaches everything the contract can answer, except what waits for something', () => {
    expect([...rows].filter((row) => !reached.has(row) && !(row in WAITS_FOR)).sort()).toEqual([]);
  });

  it('reaches nothing that is told to wait', () => {
    expect([...reached].filter(([row]) => row in WAITS_FOR)).toEqual([]);
  });

  it('lets nothing wait that the contract does not have', () => {
    expect(Object.keys(WAITS_FOR).filter((row) => !rows.has(row))).toEqual([]);
  });

  it('sees no answer that is not among what the contract can answer', () => {
    expect([...reached.keys()].filter((row) => !rows.has(row)).sort()).toEqual([]);
  });

  it('is told by docs/coverage.md as it is', async () => {
    await expect(coveragePage(rows, reached, WAITS_FOR)).toMatchFileSnapshot(PAGE);
  });
});

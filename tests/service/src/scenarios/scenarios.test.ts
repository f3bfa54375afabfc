import { describe, expect, it } from 'vitest';

import { play } from './play.js';
import { readPages, tableOf, writeRows } from './table.js';

/** Whether to write what happened into the pages, instead of comparing it with them. */
const WRITES = process.env['WRITE_SCENARIOS'] !== undefined;

// The tables are the pages next to this file. Each states every event, attempt and movement of tokens, and one that is
// missing or too many fails.
describe.each([...readPages()])('%s', (page, scenarios) => {
  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', async (_, scenario) => {
    const rows = await play(scenario);
    if (WRITES) writeRows(page, scenario, rows);
    else expect(tableOf(rows)).toBe(tableOf(scenario.rows));
  });
});

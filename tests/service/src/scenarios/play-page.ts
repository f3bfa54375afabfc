import { describe, expect, it } from 'vitest';

import { explanationText, isExplained, readExplanation, writeExplanation } from './explanations.js';
import { play } from './play.js';
import { readPages, tableOf, writeRows } from './table.js';

/** Whether to write what happened into the pages, instead of comparing it with them. */
const WRITES = process.env['WRITE_SCENARIOS'] !== undefined;

/**
 * Plays every scenario of a page. The tables state every event, attempt and movement of tokens: one missing
 * or too many fails. Each page has a test file of its own, so pages are played at the same time.
 */
export function playPage(name: string): void {
  const page = `${name}.md`;
  const scenarios = readPages().get(page) ?? [];
  describe(page, () => {
    it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', async (_, scenario) => {
      const { rows, explained } = await play(scenario);
      const explanation = explanationText(scenario.title, explained);
      if (WRITES) {
        writeRows(page, scenario, rows);
        if (isExplained(page)) writeExplanation(page, scenario.title, explanation);
        return;
      }
      expect(tableOf(rows)).toBe(tableOf(scenario.rows));
      if (isExplained(page)) expect(explanation).toBe(readExplanation(page, scenario.title));
    });
  });
}

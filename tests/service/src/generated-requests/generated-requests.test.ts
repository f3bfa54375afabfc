// Heavy: a thousand requests are generated and answered.

import { expect, it } from 'vitest';

import { deadlineOf, runRequests } from './run-requests.js';
import { saveFixtures } from './saved-fixtures.js';

/** Enough for every operation; generated-requests.long.test.ts runs ten times as many. */
const REQUESTS = 1_000;

// invariants#refusals-change-nothing
it(
  `answers ${REQUESTS} generated requests, valid and adversarial, as documented, and changes nothing on a refusal`,
  async () => {
    const saved = await saveFixtures('memory');
    const coverage = await runRequests(saved, REQUESTS);
    expect(coverage.answers).toBeGreaterThanOrEqual(REQUESTS);
    await saved.remove();
  },
  deadlineOf(REQUESTS),
);

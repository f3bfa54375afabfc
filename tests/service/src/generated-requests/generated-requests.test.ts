// Heavy: a thousand requests are generated and answered.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { OPERATIONS, violationsOf } from './check-answer.js';
import { deadlineOf, runRequests } from './run-requests.js';
import { saveFixtures, type RemovableFixtures } from './saved-fixtures.js';
import { openServiceCopy } from './service-copy.js';

/** Enough for every operation; generated-requests.long.test.ts runs ten times as many. */
const REQUESTS = 1_000;

describe('generated requests, valid and adversarial, in every state of a subscription', () => {
  let saved: RemovableFixtures;
  beforeAll(async () => {
    saved = await saveFixtures('memory');
  });
  afterAll(() => saved.remove());

  // invariants#refusals-change-nothing
  it(
    `answers ${REQUESTS} requests as documented, without an internal error, and changes nothing on a refusal`,
    async () => {
      const coverage = await runRequests(saved, REQUESTS);
      expect(coverage.answers).toBeGreaterThanOrEqual(REQUESTS);
    },
    deadlineOf(REQUESTS),
  );

  it.each([...OPERATIONS.keys()])('%s answers as documented past its rate limit', async (operation) => {
    const service = await openServiceCopy(saved);
    const [method = '', path = ''] = operation.split(' ');
    const address = `https://billing.example${path.replace(/\{\w+\}/, 'nothing')}?unknown=1`;
    const headers = { Authorization: `Bearer ${saved.fixtures.keys.business}` };
    const limits = new Set<string | null>();
    for (;;) {
      const response = await service.handler(new Request(address, { method, headers }));
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      expect(violationsOf(operation, method, answer)).toEqual([]);
      limits.add(response.headers.get('x-ratelimit-limit'));
      if (response.status === 429) break;
    }
    expect([...limits]).toEqual([method === 'GET' ? '1000' : '60']);
    await service.stored.close();
  });
});

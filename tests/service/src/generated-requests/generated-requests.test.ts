import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Coverage } from './coverage.js';
import { OPERATIONS, violationsOf } from './check-answer.js';
import { saveInMemory, saveInSqlite, type RemovableFixtures } from './saved-fixtures.js';
import { StepRunner } from './step-runner.js';
import { openServiceCopy } from './service-copy.js';
import { steps } from './step-generator.js';

/** A larger run: `GENERATED_REQUESTS=1000000 GENERATED_REQUESTS_SEED=7 npm test -- --project service generated-requests`. */
const REQUESTS = Number(process.env['GENERATED_REQUESTS'] ?? 20_000);
const SEED = Number(process.env['GENERATED_REQUESTS_SEED'] ?? 20_261_002);
const ON_SQLITE = REQUESTS / 10;

/** A run is a hundred steps, and a step makes slightly more than one request: some need a transaction to sign first. */
const runsOf = (requests: number) => Math.ceil(requests / 110);

const DEADLINE_MS = 60_000 + REQUESTS * 20;

/** Runs sequences of steps from the saved fixtures and counts the answers. A failure names the seed and the fewest steps. */
async function runRequests(saved: RemovableFixtures, requests: number): Promise<Coverage> {
  const coverage = new Coverage();
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const service = await openServiceCopy(saved);
      const runner = new StepRunner(service, saved.fixtures);
      try {
        for (const step of sequence) await runner.run(step);
        expect(service.logged).toEqual([]);
      } finally {
        await service.stored.close();
      }
      coverage.add(runner.answers);
    }),
    { seed: SEED, numRuns: runsOf(requests) },
  );
  return coverage;
}

/** Codes that single calls without faults cannot reach, and why. */
const UNREACHABLE: readonly (readonly [code: RegExp, why: string])[] = [
  [/: rate_limited$/, 'the clock moves on between calls; see the test of the limits'],
  [
    /: (internal_error|unavailable|network_unavailable)$/,
    'no fault is injected; see injected-faults.test.ts',
  ],
  [/: subscription_changed$/, 'no calls are concurrent'],
  [/: (comeback_\w+|subscription_terms_changed)$/, 'every comeback is far from a boundary'],
  [
    /submit: (already_subscribed|subscription_stopped)$/,
    'the other checkouts of a wallet expire when one lands',
  ],
  [
    /submit: terms_(missing|used)$/,
    'every transaction comes with terms, and with new ones once the old were spent',
  ],
  [/transaction: mint_not_on_chain$/, 'no mint of an open checkout is removed; the contract suite shows it'],
  [
    /^POST \/v1\/subscriptions: plan_replaced$/,
    'the worker that made the fixtures has closed the replaced plan',
  ],
  [/transaction: plan_replaced$/, 'a plan cannot be replaced within the lifetime of a checkout'],
];

const reachable = (codes: readonly string[]) =>
  codes.filter((one) => !UNREACHABLE.some(([code]) => code.test(one)));

describe('generated requests, valid and adversarial, in every state of a subscription', () => {
  let saved: RemovableFixtures;
  beforeAll(async () => {
    saved = await saveInMemory();
  });
  afterAll(() => saved.remove());

  // invariants#refusals-change-nothing
  it(
    `answers ${REQUESTS} requests as documented, without an internal error, and changes nothing on a refusal`,
    async () => {
      const coverage = await runRequests(saved, REQUESTS);
      // The generator must keep reaching successes and every code that can be reached.
      expect(coverage.answers).toBeGreaterThanOrEqual(REQUESTS);
      expect(coverage.rareSuccesses(REQUESTS / 500)).toEqual([]);
      expect(reachable(coverage.missingCodes())).toEqual([]);
    },
    DEADLINE_MS,
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

describe('generated requests on SQLite', () => {
  let saved: RemovableFixtures;
  beforeAll(async () => {
    saved = await saveInSqlite();
  });
  afterAll(() => saved.remove());

  // invariants#refusals-change-nothing
  it(
    `answers ${ON_SQLITE} requests as documented, and changes no row on a refusal`,
    async () => {
      const coverage = await runRequests(saved, ON_SQLITE);
      expect(coverage.answers).toBeGreaterThanOrEqual(ON_SQLITE);
      expect(coverage.rareSuccesses(1)).toEqual([]);
    },
    DEADLINE_MS,
  );
});

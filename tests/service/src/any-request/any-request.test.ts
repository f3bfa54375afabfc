import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Coverage } from './coverage.js';
import { OPERATIONS, faultsOf } from './document.js';
import { keepInMemory, keepInSqlite, type KeptStage } from './kept-fixtures.js';
import { Player } from './play.js';
import { serve } from './served.js';
import { steps } from './steps.js';

/** More on demand: `ANY_REQUESTS=1000000 ANY_REQUEST_SEED=7 npm test -- --project host-node any-request`. */
const REQUESTS = Number(process.env['ANY_REQUESTS'] ?? 20_000);
const SEED = Number(process.env['ANY_REQUEST_SEED'] ?? 20_261_002);
const ON_SQLITE = REQUESTS / 10;

/** A step is a bit more than a request, since a wallet asks for what it is to sign first; a run is a hundred steps. */
const runsOf = (requests: number) => Math.ceil(requests / 110);

const DEADLINE_MS = 60_000 + REQUESTS * 20;

/** Plays runs of steps, each from the same beginning, and tells what they met. Fails with the seed and the fewest steps. */
async function play(kept: KeptStage, requests: number): Promise<Coverage> {
  const coverage = new Coverage();
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const served = await serve(kept);
      const player = new Player(served, kept.stage);
      try {
        for (const step of some) await player.play(step);
        expect(served.logged).toEqual([]);
      } finally {
        await served.rows.close();
      }
      coverage.add(player.told);
    }),
    { seed: SEED, numRuns: runsOf(requests) },
  );
  return coverage;
}

/** What no run of single calls on a service without faults can meet, and why. */
const UNMET: readonly (readonly [code: RegExp, why: string])[] = [
  [/: rate_limited$/, 'time passes; see below'],
  [/: (internal_error|unavailable|network_unavailable)$/, 'nothing is broken; see injected-faults.test.ts'],
  [/: subscription_changed$/, 'nobody calls at the same time'],
  [/: (comeback_\w+|subscription_terms_changed)$/, 'who comes back does so well before the period turns'],
  [
    /submit: (already_subscribed|subscription_stopped)$/,
    'the other checkouts of a wallet expire when one lands',
  ],
  [
    /submit: terms_(missing|used)$/,
    'terms come with every transaction, new ones after those that were spent',
  ],
  [/transaction: mint_not_on_chain$/, 'no token of an open checkout goes; the contract suite has it'],
  [/transaction: plan_replaced$/, 'a plan cannot be made anew within the life of a checkout'],
];

const notTold = (unmet: readonly string[]) => unmet.filter((one) => !UNMET.some(([code]) => code.test(one)));

describe('any request, valid or hostile, in any condition of a subscription', () => {
  let kept: KeptStage;
  beforeAll(async () => {
    kept = await keepInMemory();
  });
  afterAll(() => kept.forget());

  it(
    `${REQUESTS} of them are answered as the document tells, never by a fault, and a refusal changes nothing (invariants#refusals-change-nothing)`,
    async () => {
      const coverage = await play(kept, REQUESTS);
      // The generator reaches past the door: it cannot silently go blind.
      expect(coverage.answers).toBeGreaterThanOrEqual(REQUESTS);
      expect(coverage.rareSuccesses(REQUESTS / 500)).toEqual([]);
      expect(notTold(coverage.unmetCodes())).toEqual([]);
    },
    DEADLINE_MS,
  );

  it.each([...OPERATIONS.keys()])('%s past its limit answers by the document', async (operation) => {
    const served = await serve(kept);
    const [method = '', path = ''] = operation.split(' ');
    const address = `https://billing.example${path.replace(/\{\w+\}/, 'nothing')}?unknown=1`;
    const headers = { Authorization: `Bearer ${kept.stage.keys.business}` };
    const limits = new Set<string | null>();
    for (;;) {
      const response = await served.handler(new Request(address, { method, headers }));
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      expect(faultsOf(operation, method, answer)).toEqual([]);
      limits.add(response.headers.get('x-ratelimit-limit'));
      if (response.status === 429) break;
    }
    expect([...limits]).toEqual([method === 'GET' ? '1000' : '60']);
    await served.rows.close();
  });
});

describe('the same on SQLite', () => {
  let kept: KeptStage;
  beforeAll(async () => {
    kept = await keepInSqlite();
  });
  afterAll(() => kept.forget());

  it(
    `${ON_SQLITE} of them are answered as the document tells, and a refusal changes no row (invariants#refusals-change-nothing)`,
    async () => {
      const coverage = await play(kept, ON_SQLITE);
      expect(coverage.answers).toBeGreaterThanOrEqual(ON_SQLITE);
      expect(coverage.rareSuccesses(1)).toEqual([]);
    },
    DEADLINE_MS,
  );
});

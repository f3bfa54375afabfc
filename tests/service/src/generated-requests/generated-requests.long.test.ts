// Heavy: tens of thousands of requests are generated and answered.

import { everyTestStore } from '@subrail/test-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deadlineOf, runRequests } from './run-requests.js';
import { saveFixtures, type RemovableFixtures } from './saved-fixtures.js';

/** A larger run: `GENERATED_REQUESTS=1000000 PROPERTY_SEED=7 npm run test:long -- generated-requests`. */
const REQUESTS = Number(process.env['GENERATED_REQUESTS'] ?? 20_000);

/** Codes that single calls without faults cannot reach, and why. */
const UNREACHABLE: readonly (readonly [code: RegExp, why: string])[] = [
  [/: rate_limited$/, 'the clock moves on between calls; the contract suite fills every window'],
  [
    /: (internal_error|unavailable|network_unavailable)$/,
    'no fault is injected; see injected-faults.long.test.ts',
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
  [
    /: (mint_(not_transferable|transfer_hook|paused)|(receiver|token)_account_\w+|insufficient_lamports)$/,
    'every mint of the fixtures can be charged, and every wallet can pay; see wallets-that-cannot-pay.test.ts',
  ],
  [/resume: already_subscribed$/, 'no plan has one_per_customer; see one-customer-with-two-wallets.test.ts'],
  [/transaction: plan_replaced$/, 'a plan cannot be replaced within the lifetime of a checkout'],
];

const reachable = (codes: readonly string[]) =>
  codes.filter((one) => !UNREACHABLE.some(([code]) => code.test(one)));

describe.each(everyTestStore())(
  'many generated requests, in every state of a subscription, on %s',
  (kind) => {
    // A database takes ten times as long as memory. The fewer requests there need not reach the rarest codes.
    const requests = kind === 'memory' ? REQUESTS : REQUESTS / 10;
    let saved: RemovableFixtures;
    beforeAll(async () => {
      saved = await saveFixtures(kind);
    });
    afterAll(() => saved.remove());

    // invariants#refusals-change-nothing
    it(
      `answers ${requests} requests as documented, without an internal error, and changes nothing on a refusal`,
      async () => {
        const coverage = await runRequests(saved, requests);
        expect(coverage.answers).toBeGreaterThanOrEqual(requests);
        // The generator must keep reaching successes and every code that can be reached.
        expect(coverage.rareSuccesses(kind === 'memory' ? requests / 500 : 1)).toEqual([]);
        if (kind === 'memory') expect(reachable(coverage.missingCodes())).toEqual([]);
      },
      deadlineOf(REQUESTS),
    );
  },
);

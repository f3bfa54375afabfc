import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Expected } from './expected.js';
import { dUsd, balances, inOrder, nameOf, type DemoContext } from './demo-context.js';
import type { ScenarioResult } from './scenario.js';

const attemptPage = z.object({
  data: z.array(
    z.object({
      outcome: z.string(),
      reason: z.string().nullable(),
      retry_number: z.number().nullable(),
      retries_allowed: z.number().nullable(),
    }),
  ),
  has_more: z.literal(false),
  paid: z.object({ count: z.number(), amount: z.string() }),
});

const access = z.object({ access: z.boolean(), status: z.string() });

/**
 * Holds what was told by webhooks, what the service has on record and what the chain shows against each other and against
 * what was expected.
 * @returns whether all of it is right
 */
export async function checkResults(
  stage: DemoContext,
  told: ScenarioResult,
  expected: Expected,
): Promise<boolean> {
  const { narrator, api, receiver, wallet, world } = stage;
  const page = attemptPage.parse(await api.get(`/subscriptions/${told.subscriptionId}/attempts?limit=100`));
  const answer = access.parse(await api.get(`/access?wallet=${wallet.address}&plan=${world.plan.slug}`));
  const held = await balances(stage);
  const events = inOrder(receiver.notices);
  const paid = BigInt(page.paid.amount);
  const attempts = page.data.map(attemptText).reverse();

  const checks: readonly (readonly [text: string, holds: boolean])[] = [
    [
      `${events.length} events arrived, exactly those expected`,
      isDeepStrictEqual(events.map(nameOf), expected.events),
    ],
    [
      'their sequence runs from 1 without a gap',
      isDeepStrictEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1),
      ),
    ],
    ['every webhook was signed by the endpoint’s secret', receiver.refused === 0],
    [
      `${attempts.length} attempts are on record, exactly those expected`,
      isDeepStrictEqual(attempts, expected.attempts),
    ],
    [
      `attempts paid ${dUsd(paid)}, tokens moved ${dUsd(held.owner)}`,
      paid === held.owner && paid === expected.received,
    ],
    [
      `each of the ${page.paid.count} paid attempts moved the price once`,
      BigInt(page.paid.count) * world.plan.amount === paid,
    ],
    ['the wallet is short of nothing else', told.given - told.sentAway - paid === held.wallet],
    ['the customer has no access any more', !answer.access && answer.status === 'stopped'],
  ];
  narrator.chapter('The ledger');
  for (const [text, holds] of checks) narrator.check(text, holds);
  return checks.every(([, holds]) => holds);
}

type Attempt = z.infer<typeof attemptPage>['data'][number];

function attemptText({ outcome, reason, retry_number: number, retries_allowed: allowed }: Attempt): string {
  const what = reason === null ? outcome : `${outcome} ${reason}`;
  return number === null ? what : `${what}, retry ${number} of ${allowed}`;
}

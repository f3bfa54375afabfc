import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { dUsd, inOrder, nameOf, readBalances, type DemoContext } from './demo-context.js';
import type { ExpectedResult } from './expected.js';
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

const accessAnswer = z.object({ access: z.boolean(), status: z.string() });

/**
 * Compares the webhooks received, the service's records and the chain's balances with each other and with the expected
 * result, and prints each check.
 * @returns whether every check passed
 */
export async function checkResults(
  context: DemoContext,
  result: ScenarioResult,
  expected: ExpectedResult,
): Promise<boolean> {
  const { printer, api, receiver, wallet, project } = context;
  const page = attemptPage.parse(await api.get(`/subscriptions/${result.subscriptionId}/attempts?limit=100`));
  const { access, status } = accessAnswer.parse(
    await api.get(`/access?wallet=${wallet.address}&plan=${project.plan.slug}`),
  );
  const balances = await readBalances(context);
  const events = inOrder(receiver.events);
  const paid = BigInt(page.paid.amount);
  const attempts = page.data.map(describeAttempt).reverse();

  const checks: readonly (readonly [text: string, passed: boolean])[] = [
    [
      `${events.length} events arrived, exactly those expected`,
      isDeepStrictEqual(events.map(nameOf), expected.events),
    ],
    [
      'their sequence numbers run from 1 without a gap',
      isDeepStrictEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1),
      ),
    ],
    ['every webhook had a valid signature', receiver.rejected === 0],
    [
      `${attempts.length} attempts are recorded, exactly those expected`,
      isDeepStrictEqual(attempts, expected.attempts),
    ],
    [
      `attempts paid ${dUsd(paid)}, tokens moved ${dUsd(balances.owner)}`,
      paid === balances.owner && paid === expected.received,
    ],
    [
      `each of the ${page.paid.count} paid attempts moved the price once`,
      BigInt(page.paid.count) * project.plan.amount === paid,
    ],
    ['nothing else was taken from the wallet', result.given - result.sentAway - paid === balances.wallet],
    ['the customer no longer has access', !access && status === 'stopped'],
  ];
  printer.heading('The result');
  for (const [text, passed] of checks) printer.check(text, passed);
  return checks.every(([, passed]) => passed);
}

type Attempt = z.infer<typeof attemptPage>['data'][number];

function describeAttempt({
  outcome,
  reason,
  retry_number: number,
  retries_allowed: allowed,
}: Attempt): string {
  const result = reason === null ? outcome : `${outcome} ${reason}`;
  return number === null ? result : `${result}, retry ${number} of ${allowed}`;
}

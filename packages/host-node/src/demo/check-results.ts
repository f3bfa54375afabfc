import { isDeepStrictEqual } from 'node:util';
import type { AttemptWire } from '@subrail/core/schemas';
import { dUsd, inOrder, nameOf, readBalances, type DemoContext } from './demo-context.js';
import type { ExpectedResult } from './expected.js';
import type { ScenarioResult } from './scenario.js';

/**
 * Compares webhooks, records and balances on chain with each other and with the expected result, and prints
 * each check.
 * @returns whether every check passed
 */
export async function checkResults(
  context: DemoContext,
  result: ScenarioResult,
  expected: ExpectedResult,
): Promise<boolean> {
  const { printer, client, receiver, wallet, project } = context;
  const pages = await Promise.all(
    result.subscriptionIds.map((id) => client.subscriptions.attempts(id, { limit: 100 })),
  );
  const { access, status } = await client.access.check({ wallet: wallet.address, plan: project.plan.slug });
  const balances = await readBalances(context);
  const events = result.subscriptionIds.map((id) =>
    inOrder(receiver.events.filter(({ data }) => data.id === id)),
  );
  const attempts = pages.map(({ data }) => data.map(describeAttempt).reverse());
  const paid = pages.reduce((sum, page) => sum + BigInt(page.paid.amount), 0n);
  const payments = pages.reduce((sum, page) => sum + page.paid.count, 0);

  const checks: readonly (readonly [text: string, passed: boolean])[] = [
    [
      `${receiver.events.length} events arrived, exactly those expected`,
      events.flat().length === receiver.events.length &&
        isDeepStrictEqual(
          events.map((ofOne) => ofOne.map(nameOf)),
          expected.subscriptions.map((one) => one.events),
        ),
    ],
    [
      'the sequence numbers of each subscription run from 1 without a gap',
      events.every((ofOne) => ofOne.every(({ sequence }, index) => sequence === index + 1)),
    ],
    ['every webhook had a valid signature', receiver.rejected === 0],
    [
      `${attempts.flat().length} attempts are recorded, exactly those expected`,
      isDeepStrictEqual(
        attempts,
        expected.subscriptions.map((one) => one.attempts),
      ),
    ],
    [
      `attempts paid ${dUsd(paid)}, tokens moved ${dUsd(balances.owner)}`,
      paid === balances.owner && paid === expected.received,
    ],
    [
      `each of the ${payments} paid attempts moved the price once`,
      BigInt(payments) * project.plan.amount === paid,
    ],
    ['nothing else was taken from the wallet', result.funded - result.sentAway - paid === balances.wallet],
    ['the customer no longer has access', !access && status === 'ended'],
  ];
  printer.heading('The result');
  for (const [text, passed] of checks) printer.check(text, passed);
  return checks.every(([, passed]) => passed);
}

function describeAttempt({
  outcome,
  reason,
  retry_number: number,
  retries_allowed: allowed,
}: AttemptWire): string {
  const result = reason === null ? outcome : `${outcome} ${reason}`;
  return number === null ? result : `${result}, retry ${number} of ${allowed}`;
}

import type { Attempt, Transfer } from '../../records/index.js';
import { COMPARE_WITH_CHAIN, REPORT, type ExaminedSubscription } from './examined-subscription.js';
import type { FindingWire } from './schemas.js';

/** The clocks of hosts, which date attempts, and of the chain, which dates periods, may differ by this. */
const CLOCKS_DIFFER_MS = 15 * 60_000;

/** Checks that the attempts, the transfers and the totals of a subscription say the same. */
export function checkPayments({
  subscription,
  attempts,
  transfers,
  landedElsewhere,
}: ExaminedSubscription): readonly FindingWire[] {
  const { id } = subscription;
  const findings: FindingWire[] = [];
  const add = (check: string, rows: readonly string[], what: string, remedy = COMPARE_WITH_CHAIN): void => {
    findings.push({ check, rows: [id, ...rows], what, remedy });
  };
  const paid = attempts.filter(({ outcome }) => outcome === 'paid');
  const landed = transfers.filter(({ state }) => state === 'landed');

  for (const rows of samePeriod(paid))
    add('one_payment_per_period', rows, 'Two attempts paid for one period.');
  for (const rows of samePeriod(landed))
    add('one_payment_per_period', rows, 'Two transfers landed for one period.');

  const paidSignatures = new Set(paid.map(({ signature }) => signature));
  const landedSignatures = new Set([...landed.map(({ signature }) => signature), ...landedElsewhere]);
  // A checkout that landed without success has a reason, and pays for nothing here.
  for (const transfer of landed)
    if (!paidSignatures.has(transfer.signature) && transfer.reasonCode === null)
      add(
        'landed_transfers_are_paid',
        [transfer.id],
        `Transaction ${transfer.signature} landed, and no attempt has it as paid.`,
      );
  for (const attempt of paid)
    if (
      attempt.signature !== null &&
      !landedSignatures.has(attempt.signature) &&
      !isOfHistory(attempt, transfers)
    )
      add(
        'paid_attempts_have_landed',
        [attempt.id],
        `An attempt is paid, and its transaction ${attempt.signature} has not landed on record.`,
      );

  const sum = paid.reduce((total, { amount }) => total + amount, 0n);
  if (subscription.paidCount !== paid.length || subscription.paidAmount !== sum)
    add(
      'paid_totals_match',
      [],
      `It counts ${subscription.paidCount} payments of ${subscription.paidAmount} together, and has ${paid.length} paid attempts of ${sum}.`,
    );

  for (const { id: attempt, attemptedAt, periodStart } of paid)
    if (periodStart !== null && periodStart.getTime() - attemptedAt.getTime() > CLOCKS_DIFFER_MS)
      add('no_charge_out_of_turn', [attempt], 'A charge was paid before its period began.', REPORT);
  const charged = landed.find(({ kind }) => kind === 'charge');
  if (!subscription.termsSigned && charged !== undefined)
    add(
      'no_charge_out_of_turn',
      [charged.id],
      'It was charged, and no terms of the wallet are signed.',
      REPORT,
    );
  const lastPaid = latestPeriod(paid);
  if (lastPaid !== null && subscription.paidPeriodStart !== null && lastPaid > subscription.paidPeriodStart)
    add('paid_period_is_the_last', [], 'A later period is paid than the one on record.');

  const { late } = subscription;
  if (late?.automatic != null) {
    const rejected = attempts.filter(
      (attempt) =>
        attempt.outcome === 'rejected' &&
        attempt.retry &&
        attempt.retryNumber !== null &&
        attempt.periodStart?.getTime() === late.periodStart.getTime(),
    );
    // More were rejected where they began anew: after a resume of what had stopped, or with another tier.
    if (rejected.length < late.automatic.spent)
      add(
        'only_rejections_spend_retries',
        rejected.map((attempt) => attempt.id),
        `It has spent ${late.automatic.spent} retries, and ${rejected.length} were rejected.`,
        REPORT,
      );
  }
  return findings;
}

/** A payment that was found on chain after its transfer was given up has that transfer as lost. */
function isOfHistory({ signature }: Attempt, transfers: readonly Transfer[]): boolean {
  return transfers.some((transfer) => transfer.signature === signature && transfer.state === 'lost');
}

function latestPeriod(paid: readonly Attempt[]): Date | null {
  return paid.reduce<Date | null>(
    (latest, { periodStart }) =>
      periodStart !== null && (latest === null || periodStart > latest) ? periodStart : latest,
    null,
  );
}

/** The ids of attempts or transfers of one period, for each period that has several. */
function samePeriod(
  rows: readonly Pick<Attempt | Transfer, 'id' | 'periodStart'>[],
): readonly (readonly string[])[] {
  const periods = new Map<number, string[]>();
  for (const { id, periodStart } of rows)
    if (periodStart !== null)
      periods.set(periodStart.getTime(), [...(periods.get(periodStart.getTime()) ?? []), id]);
  return [...periods.values()].filter((ids) => ids.length > 1);
}

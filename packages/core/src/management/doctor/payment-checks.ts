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
  const found: FindingWire[] = [];
  const add = (check: string, rows: readonly string[], what: string, remedy = COMPARE_WITH_CHAIN): void => {
    found.push({ check, rows: [id, ...rows], what, remedy });
  };
  const paid = attempts.filter(({ outcome }) => outcome === 'paid');
  const landed = transfers.filter(({ state }) => state === 'landed');

  for (const twice of repeated(paid, periodOf))
    add(
      'one_payment_per_period',
      twice.map((one) => one.id),
      'Two attempts paid for one period.',
    );
  for (const twice of repeated(landed, periodOf))
    add(
      'one_payment_per_period',
      twice.map((one) => one.id),
      'Two transfers landed for one period.',
    );

  const paidSignatures = new Set(paid.map(({ signature }) => signature));
  const landedSignatures = new Set([...landed.map(({ signature }) => signature), ...landedElsewhere]);
  for (const transfer of landed)
    if (!paidSignatures.has(transfer.signature) && !isOfAnother(transfer))
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
    if (rejected.length !== late.automatic.spent)
      add(
        'only_rejections_spend_retries',
        rejected.map((attempt) => attempt.id),
        `It has spent ${late.automatic.spent} retries, and ${rejected.length} were rejected.`,
        REPORT,
      );
  }
  return found;
}

/** A transfer of a checkout that landed without success pays for nothing here: its reason says why. */
function isOfAnother({ reasonCode }: Transfer): boolean {
  return reasonCode !== null;
}

/** A payment that was found on chain after its transfer was given up has that transfer as lost. */
function isOfHistory({ signature }: Attempt, transfers: readonly Transfer[]): boolean {
  return transfers.some((transfer) => transfer.signature === signature && transfer.state === 'lost');
}

function periodOf({ periodStart }: Pick<Attempt, 'periodStart'>): number | null {
  return periodStart?.getTime() ?? null;
}

function latestPeriod(paid: readonly Attempt[]): Date | null {
  return paid.reduce<Date | null>(
    (latest, { periodStart }) =>
      periodStart !== null && (latest === null || periodStart > latest) ? periodStart : latest,
    null,
  );
}

/** The groups of more than one item with one key; those without a key are left out. */
function repeated<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => number | null,
): readonly (readonly Item[])[] {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

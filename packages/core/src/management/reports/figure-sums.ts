import { toAmountText } from '../../contract/scalars.js';
import { sumsUnder, type Sums } from '../../records/index.js';
import { usdText } from '../../rules/money.js';
import type { FigureTotals, TokenFigures } from './figure-schemas.js';

/** The money among sums of one token. */
export function moneyOf(sums: Sums): Pick<TokenFigures, 'collected' | 'failed' | 'recovered'> {
  return {
    collected: {
      count: Number(sums.paid ?? 0n),
      amount: toAmountText(sums['paid.amount'] ?? 0n),
      amount_usd: usdText(sums['paid.usd'] ?? 0n),
      unpriced: Number(sums['paid.unpriced'] ?? 0n),
    },
    failed: {
      count: countUnder(sums, 'failed/'),
      amount: toAmountText(sumsUnder(sums, 'failed.amount/').reduce((sum, [, amount]) => sum + amount, 0n)),
    },
    recovered: {
      count: Number(sums.recovered ?? 0n),
      amount: toAmountText(sums['recovered.amount'] ?? 0n),
    },
  };
}

/** The sum of the sums whose names begin with a prefix. */
export function countUnder(sums: Sums, prefix: string): number {
  return Number(sumsUnder(sums, prefix).reduce((sum, [, count]) => sum + count, 0n));
}

/** How many subscriptions began, came back and ended among sums. */
export function movedOf(sums: Sums): Pick<FigureTotals, 'new' | 'returned' | 'lost'> {
  return {
    new: Number(sums.new ?? 0n),
    returned: Number((sums.comeback ?? 0n) + (sums.reinstated ?? 0n)),
    lost: countUnder(sums, 'ended/'),
  };
}

/** Reasons with their counts, the most frequent first, and by name among equally frequent ones. */
export function causesOf(sums: Sums, prefix: string): FigureTotals['lost_causes'] {
  return sumsUnder(sums, prefix)
    .map(([reason, count]) => ({ reason, count: Number(count) }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}

/** Why charges did not pay, with their counts, the most frequent cause first. */
export function failureCausesOf(sums: Sums): FigureTotals['failure_causes'] {
  return causesOf(sums, 'unpaid/').map(({ reason, count }) => {
    const [outcome = '', ...code] = reason.split('/');
    return {
      outcome: outcome as FigureTotals['failure_causes'][number]['outcome'],
      reason: code.join('/'),
      count,
    };
  });
}

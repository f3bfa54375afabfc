import type { SubscriptionView } from '../ports/index.js';

/** The period in which a charge would fall now, and what that period still owes. */
export interface AmountDue {
  readonly periodStart: Date;
  readonly amount: bigint;
}

/**
 * Moves a subscription's period on chain forward to an instant, exactly as the program does when a transfer
 * lands (program#period-arithmetic). From the plan's end on no new period opens, but the last one before it
 * still does.
 * @param endsAt the plan's end on chain
 * @param at the chain's time
 */
export function amountDueAt(view: SubscriptionView, endsAt: Date | null, at: Date): AmountDue {
  const length = view.periodHours * 3_600_000;
  const start = view.periodStart.getTime();
  const current = (instant: number) => start + Math.floor((instant - start) / length) * length;
  const candidate = at.getTime() - start < length ? start : current(at.getTime());
  const opened =
    endsAt === null || candidate < endsAt.getTime() ? candidate : current(endsAt.getTime() - 1000);
  return opened > start
    ? { periodStart: new Date(opened), amount: view.amount }
    : { periodStart: view.periodStart, amount: view.amount - view.pulled };
}

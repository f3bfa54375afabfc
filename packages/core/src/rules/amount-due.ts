import type { SubscriptionView } from '../ports/index.js';

/** What the chain would make of a charge now: the period it falls in and what that period still owes. */
export interface AmountDue {
  readonly periodStart: Date;
  readonly amount: bigint;
}

/**
 * Moves a subscription's recorded period forward to chain time `at`, as the program does when a transfer lands, and no other
 * way (program#period-arithmetic). `endsAt` is the plan's end on chain. At or past the end no new period opens; the one that
 * was left to open last still does.
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

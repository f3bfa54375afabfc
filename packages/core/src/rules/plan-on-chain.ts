import type { PlanView } from '../ports/index.js';
import type { Plan } from '../records/index.js';
import { earlier } from './billing-periods.js';

/**
 * A plan as a read of the chain shows it; the record itself without a change. On chain no end is removed or
 * moved later and no sunset undone, so a read that shows either comes from a node that lags
 * (plans#plan-changes-in-reads).
 */
export function planAsRead(plan: Plan, view: PlanView): Plan {
  if (plan.createdOnChainAt === null || plan.status === 'closed') return plan;
  // Another plan is at the address, so this one is over for good.
  if (view.createdAt.getTime() !== plan.createdOnChainAt.getTime()) return { ...plan, status: 'closed' };
  const endsAt = view.endsAt === null ? plan.endsAt : earlier(view.endsAt, plan.endsAt);
  const status = view.sunset && plan.status === 'active' ? 'sunset' : plan.status;
  const unchanged =
    endsAt?.getTime() === plan.endsAt?.getTime() &&
    status === plan.status &&
    plan.goneSince === null &&
    plan.pullers?.join() === view.pullers.join();
  return unchanged ? plan : { ...plan, endsAt, status, goneSince: null, pullers: view.pullers };
}

/** Whether the service may charge a plan, as the chain showed last, or before the first read. */
export function mayCharge({ owner, pullers }: Pick<Plan, 'owner' | 'pullers'>, charger: string): boolean {
  return pullers === null || owner === charger || pullers.includes(charger);
}

/** Whether a plan's account is gone from the chain, for certain or until a second read. */
function isGone({ status, goneSince }: Pick<Plan, 'status' | 'goneSince'>): boolean {
  return status === 'closed' || goneSince !== null;
}

/** Whether a plan takes new subscribers, but for the seats of its project (plans#plan-availability). */
export function takesSubscribers(plan: Plan, charger: string, now: Date): boolean {
  const isOpen = plan.status === 'active' && !isGone(plan) && mayCharge(plan, charger);
  return isOpen && (plan.endsAt === null || now < plan.endsAt);
}

/** Whether the plan on chain has the stored values and allows the charger to pull payments. */
export function matchesRecord(plan: Plan, view: PlanView, charger: string): boolean {
  return (
    view.owner === plan.owner &&
    view.mint === plan.mint &&
    view.amount === plan.amount &&
    view.periodHours === plan.periodHours &&
    view.destinations.length === plan.destinations.length &&
    plan.destinations.every((wallet) => view.destinations.includes(wallet)) &&
    (view.owner === charger || view.pullers.includes(charger))
  );
}

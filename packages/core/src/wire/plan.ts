import type { Network } from '../contract/enums.js';
import type { PlanWire } from '../contract/plan.js';
import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { Plan, Project } from '../records/index.js';
import { displayAmount, usdAmount } from '../rules/money.js';
import { takesSubscribers } from '../rules/plan-on-chain.js';
import type { TokenName } from '../rules/token-name.js';

/** The facts of a plan's wire object besides its record. */
export interface PlanFacts {
  readonly project: Project;
  readonly network: Network;
  readonly token: TokenName;
  /** The price of one whole token in US dollars, when it is known. */
  readonly price: string | null;
  /** Whether a wallet that is new to the project would find a seat. */
  readonly seatFree: boolean;
  /** The key that charges, which a plan has to list. */
  readonly charger: string;
  readonly now: Date;
}

export function planWire(plan: Plan, facts: PlanFacts): PlanWire {
  const { project, network, token, price } = facts;
  return {
    slug: plan.slug,
    name: plan.name,
    description: plan.description,
    project_name: project.name,
    logo_url: plan.logoUrl ?? project.logoUrl,
    amount: toAmountText(plan.amount),
    amount_display: displayAmount(plan.amount, plan.decimals),
    amount_usd: usdAmount(price, plan.amount, plan.decimals),
    decimals: plan.decimals,
    symbol: token.unit,
    mint: plan.mint,
    token: {
      symbol: token.symbol,
      name: token.name,
      logo_url: token.logoUrl,
      verified: token.verified,
    },
    period_hours: plan.periodHours,
    network,
    status: plan.status,
    available: isAvailable(plan, facts),
    ends_at: toWireDate(plan.endsAt),
  };
}

/** Whether a new wallet can subscribe (plans#plan-availability). */
function isAvailable(plan: Plan, { seatFree, charger, now }: PlanFacts): boolean {
  return takesSubscribers(plan, charger, now) && seatFree;
}

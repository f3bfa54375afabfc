import type { PlanWire } from '../contract/plan.js';
import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { Plan, Project } from '../records/index.js';
import { displayAmount, usdAmount } from '../rules/money.js';
import type { Service } from '../service.js';
import { hasSeatFor } from '../operations/checkout/seats.js';

/** Contract, Plan: plans of one project as a reader is told them now, in the order given (plans#display-amount). */
export async function planWires(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<PlanWire[]> {
  const now = service.clock.now();
  const freeSeat = await hasSeatFor(service, project, null);
  const mints = [...new Set(plans.map(({ mint }) => mint))];
  const known = new Map(
    await Promise.all(
      mints.map(async (mint) => {
        const [token, price] = await Promise.all([service.tokens.find(mint), service.prices.usd(mint)]);
        return [mint, { token, price }] as const;
      }),
    ),
  );
  return plans.map((plan) => {
    const { token = null, price = null } = known.get(plan.mint) ?? {};
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
      symbol: token?.symbol ?? null,
      mint: plan.mint,
      token: {
        symbol: token?.symbol ?? null,
        name: token?.name ?? null,
        logo_url: token?.logoUrl ?? null,
        verified: token !== null,
      },
      period_hours: plan.periodHours,
      network: service.chain.network,
      status: plan.status,
      available: plan.status === 'active' && (plan.endsAt === null || now < plan.endsAt) && freeSeat,
      ends_at: toWireDate(plan.endsAt),
    };
  });
}

/** One plan as a reader is told it now. */
export async function planWire(service: Service, project: Project, plan: Plan): Promise<PlanWire> {
  const [wire] = await planWires(service, project, [plan]);
  if (wire === undefined) throw new Error('one plan in, one plan out');
  return wire;
}

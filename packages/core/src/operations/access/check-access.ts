import type { AccessAnswer, AccessAttempt, AccessList } from '../../contract/access.js';
import type { AccessQuery } from '../../contract/requests.js';
import { toAmountText, toWireDate } from '../../contract/scalars.js';
import type {
  AccessInput,
  PlanForAccess,
  PlanId,
  Project,
  SubscriptionForAccess,
  SubscriptionId,
} from '../../records/index.js';
import { selectSubscription } from '../../rules/select-subscription.js';
import type { Service } from '../../service.js';
import { accessWire, noAccessWire, soonestRevalidation } from '../../wire/access.js';
import { requireOncePublishedPlan } from '../require.js';
import { customerOfQuery } from '../subscriptions/customer.js';

const RECENT_ATTEMPTS = 5;

/** All subscriptions of a customer to one plan. */
interface Holding {
  readonly plan: PlanForAccess;
  readonly subscriptions: readonly SubscriptionForAccess[];
}

/**
 * Checks the access of a customer to one plan, or to every plan with a subscription of theirs. The answer is
 * computed for this instant, never from the last event. Throws `invalid_request` and `plan_not_found`.
 */
export async function checkAccess(
  service: Service,
  project: Project,
  query: AccessQuery,
): Promise<AccessAnswer | AccessList> {
  const customer = customerOfQuery(query);
  const tier = service.settings.tiers[project.tier];
  const now = service.clock.now();

  const inputs = await service.store.listForAccess(project.id, customer, query.plan ?? null);
  const decided: { readonly id: SubscriptionId; readonly wire: AccessAnswer }[] = [];
  for (const { plan, subscriptions } of byPlan(inputs)) {
    const at = { plan, tier, now };
    const answering = selectSubscription(subscriptions, at);
    if (answering === null) continue;
    decided.push({ id: answering.subscription.id, wire: accessWire(answering, subscriptions, at) });
  }
  const answers = query.attempts
    ? await Promise.all(
        decided.map(async ({ id, wire }) => ({ ...wire, attempts: await recentAttempts(service, id) })),
      )
    : decided.map(({ wire }) => wire);

  if (query.plan !== undefined) {
    // A slug names one plan, so that there is at most one answer.
    const [answer] = answers;
    if (answer !== undefined) return answer;
    const plan = await requireOncePublishedPlan(service, project, query.plan);
    const nothing = noAccessWire(customer.by === 'wallet' ? customer.value : null, plan);
    return query.attempts ? { ...nothing, attempts: [] } : nothing;
  }

  const plans = answers.sort((a, b) => (a.plan < b.plan ? -1 : 1));
  return { plans, revalidate_after: soonestRevalidation(plans) };
}

function byPlan(inputs: readonly AccessInput[]): Holding[] {
  const holdings = new Map<PlanId, { plan: PlanForAccess; subscriptions: SubscriptionForAccess[] }>();
  for (const { plan, subscription } of inputs) {
    const holding = holdings.get(plan.id);
    if (holding === undefined) holdings.set(plan.id, { plan, subscriptions: [subscription] });
    else holding.subscriptions.push(subscription);
  }
  return [...holdings.values()];
}

async function recentAttempts(service: Service, id: SubscriptionId): Promise<AccessAttempt[]> {
  const page = await service.store.listAttempts(id, { limit: RECENT_ATTEMPTS, startingAfter: null });
  if (page === 'unknown_cursor') return [];
  return page.data.map((attempt) => ({
    outcome: attempt.outcome,
    reason: attempt.reason,
    amount: toAmountText(attempt.amount),
    attempted_at: toWireDate(attempt.attemptedAt),
    signature: attempt.signature,
  }));
}

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
import { accessWire, noAccessWire, soonestRevalidation } from '../../wire/access.js';
import { selectSubscription } from '../../rules/select-subscription.js';
import type { Service } from '../../service.js';
import { findOncePublishedPlan } from '../plans/published-plan.js';
import { customerOfQuery } from '../customer.js';

/** access#recent-attempts: charges shown on an access answer. */
const ATTEMPTS_SHOWN = 5;

/** Everything a customer has on one plan. */
interface Holding {
  readonly plan: PlanForAccess;
  readonly subscriptions: readonly SubscriptionForAccess[];
}

/**
 * What a customer has (access#computed-at-the-instant-asked): on one plan when the question names it, else on every plan with anything on it. Computed for the
 * instant of the question, never from the last announcement. Throws `invalid_request` and `plan_not_found`.
 */
export async function checkAccess(
  service: Service,
  project: Project,
  question: AccessQuery,
): Promise<AccessAnswer | AccessList> {
  const customer = customerOfQuery(question);
  const tier = service.settings.tiers[project.tier];
  const now = service.clock.now();

  const rows = await service.store.listForAccess(project.id, customer, question.plan ?? null);
  const told: { readonly id: SubscriptionId; readonly wire: AccessAnswer }[] = [];
  for (const { plan, subscriptions } of byPlan(rows)) {
    const at = { plan, tier, now };
    const subscription = selectSubscription(subscriptions, at);
    if (subscription === null) continue;
    told.push({ id: subscription.id, wire: accessWire(subscription, subscriptions, at) });
  }
  const answers = question.attempts
    ? await Promise.all(
        told.map(async ({ id, wire }) => ({ ...wire, attempts: await lastCharges(service, id) })),
      )
    : told.map(({ wire }) => wire);

  if (question.plan !== undefined) {
    // A slug is one plan's, so there is one answer at most.
    const [found] = answers;
    if (found !== undefined) return found;
    const plan = await findOncePublishedPlan(service, project, question.plan);
    const nothing = noAccessWire(customer.by === 'wallet' ? customer.value : null, plan);
    return question.attempts ? { ...nothing, attempts: [] } : nothing;
  }

  const plans = answers.sort((a, b) => (a.plan < b.plan ? -1 : 1));
  return { plans, revalidate_after: soonestRevalidation(plans) };
}

function byPlan(rows: readonly AccessInput[]): Holding[] {
  const holdings = new Map<PlanId, { plan: PlanForAccess; subscriptions: SubscriptionForAccess[] }>();
  for (const { plan, subscription } of rows) {
    const holding = holdings.get(plan.id);
    if (holding === undefined) holdings.set(plan.id, { plan, subscriptions: [subscription] });
    else holding.subscriptions.push(subscription);
  }
  return [...holdings.values()];
}

async function lastCharges(service: Service, id: SubscriptionId): Promise<AccessAttempt[]> {
  const page = await service.store.listAttempts(id, { limit: ATTEMPTS_SHOWN, startingAfter: null });
  if (page === 'unknown_cursor') return [];
  return page.data.map((attempt) => ({
    outcome: attempt.outcome,
    reason: attempt.reason,
    amount: toAmountText(attempt.amount),
    attempted_at: toWireDate(attempt.attemptedAt),
    signature: attempt.signature,
  }));
}

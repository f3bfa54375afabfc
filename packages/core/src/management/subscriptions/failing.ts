import { toAmountText, toWireDate } from '../../contract/scalars.js';
import { pageRequest, unknownCursor } from '../../operations/pages.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import type { SubscriptionWithPlan } from '../../ports/index.js';
import type { Attempt, Project, Subscription, SubscriptionId } from '../../records/index.js';
import type { At } from '../../rules/at.js';
import { displayAmount } from '../../rules/money.js';
import { type KnownTokens, tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { setAside } from '../read-rows.js';
import { reasonText } from './explanation/reason-texts.js';
import { remedies } from './explanation/remedies.js';
import type { FailingQuery } from './inputs.js';
import type { FailingPage, FailingWire } from './schemas.js';
import { subscriptionFilter } from './search.js';
import { subscriberWire } from './subscriber.js';

/** The newest attempts among which the last rejection is looked for. */
const NEWEST = 20;

/** Lists the late and blocked subscriptions of a project (payments#failing-customers). */
export async function listFailing(
  service: Service,
  project: Project,
  { limit, starting_after, plan }: FailingQuery,
): Promise<FailingPage> {
  const { store, clock, settings, chain } = service;
  const filter = await subscriptionFilter(service, project, { plan, failing: true });
  const now = clock.now();
  const request = pageRequest<SubscriptionId>({ limit, starting_after });
  const page = await store.searchSubscriptions(project.id, filter, now, request);
  if (page === 'unknown_cursor') throw unknownCursor();
  const tokens = await readKnownTokens(service);
  const tier = settings.tiers[project.tier];
  const data = await Promise.all(
    page.found.map(async (row) => {
      const attempts = await store.listAttempts(row.subscription.id, { limit: NEWEST, startingAfter: null });
      const known = attempts === 'unknown_cursor' ? [] : attempts.data;
      return failingWire(row, { plan: row.plan, tier, now }, known, tokens, chain.charger);
    }),
  );
  return {
    data,
    has_more: page.next !== null,
    next: page.next,
    unreadable: setAside(service, page.unreadable, 'A subscription was left out of the failing ones'),
  };
}

function failingWire(
  { subscription, plan }: SubscriptionWithPlan,
  at: At,
  attempts: readonly Attempt[],
  tokens: KnownTokens,
  charger: string,
): FailingWire {
  const { blockedReason, late, nextTryAt } = subscription;
  const { next_retry_at, next_retry_number } = subscriptionWire(subscription, at);
  const { unit } = tokenName(plan, tokens);
  const reason = reasonOf(subscription, attempts);
  const owed = isOwed(subscription, at) ? plan.amount : 0n;
  const facts = {
    ...{ subscription, at, unit, charger, attempts },
    ...{ hasEarlierAttempts: false, refunds: [], withUnreadableRefund: [] },
    ...{ events: [], isChange: false, chargedBeside: [], openTransfer: null },
  };
  return {
    ...subscriberWire({ subscription, plan }),
    blocked: blockedReason !== null,
    reason,
    why: reason === null ? null : reasonText(reason),
    since: toWireDate(subscription.blockedSince ?? late?.periodStart ?? null),
    owed: toAmountText(owed),
    owed_display: displayAmount(owed, plan.decimals),
    symbol: unit,
    mint: plan.mint,
    decimals: plan.decimals,
    next_try_at: next_retry_at ?? toWireDate(nextTryAt),
    next_retry_number,
    to_do: remedies(facts),
  };
}

/** Why it fails: the block, the late reason, or the reason of the last rejection. */
function reasonOf({ blockedReason, lateReason }: Subscription, attempts: readonly Attempt[]): string | null {
  const rejected = attempts.find(({ outcome }) => outcome === 'rejected');
  return blockedReason ?? lateReason ?? rejected?.reason ?? null;
}

/** Whether the period in progress is not paid. */
function isOwed({ status, paidPeriodEnd }: Subscription, { now }: At): boolean {
  return status === 'unpaid' || (status === 'active' && paidPeriodEnd !== null && paidPeriodEnd <= now);
}

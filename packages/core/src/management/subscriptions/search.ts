import { toAmountText } from '../../contract/scalars.js';
import { pageRequest, unknownCursor } from '../../operations/pages.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import { requireOncePublishedPlan } from '../../operations/require.js';
import type { SubscriptionFilter, SubscriptionsCounted } from '../../ports/index.js';
import type { Plan, Project, SubscriptionId } from '../../records/index.js';
import { displayAmount } from '../../rules/money.js';
import { tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { setAside } from '../read-rows.js';
import type { SubscriptionSearch, SubscriptionSearchQuery } from './inputs.js';
import type { SubscriptionCount, SubscriptionSearchPage } from './schemas.js';

/** The most subscriptions that are counted. */
const MOST_COUNTED = 10_000;

/** Finds subscriptions of a whole project, newest first (management#subscription-search). */
export async function searchSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionSearchQuery,
): Promise<SubscriptionSearchPage> {
  const filter = await subscriptionFilter(service, project, query);
  const now = service.clock.now();
  const request = pageRequest<SubscriptionId>(query);
  const page = await service.store.searchSubscriptions(project.id, filter, now, request);
  if (page === 'unknown_cursor') throw unknownCursor();
  const tier = service.settings.tiers[project.tier];
  return {
    data: page.found.map((row) => subscriptionWire(row.subscription, { plan: row.plan, tier, now })),
    has_more: page.next !== null,
    next: page.next,
    unreadable: setAside(service, page.unreadable, 'A subscription was left out of a search'),
  };
}

/** Counts what a search would find, up to ten thousand (management#subscription-count). */
export async function countSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionSearch,
): Promise<SubscriptionCount> {
  const { store, clock } = service;
  const filter = await subscriptionFilter(service, project, query);
  const counted = await store.countSubscriptions(project.id, filter, clock.now(), MOST_COUNTED);
  return {
    count: counted.count,
    or_more: counted.more,
    next_charges: await nextCharges(service, project, counted.charged),
  };
}

/** The sums of the next charges in each token, for numbers of subscriptions to plans. */
async function nextCharges(
  service: Service,
  project: Project,
  charged: SubscriptionsCounted['charged'],
): Promise<SubscriptionCount['next_charges']> {
  if (charged.length === 0) return [];
  const [plans, tokens] = await Promise.all([
    service.store.listPlans(project.id, null),
    readKnownTokens(service),
  ]);
  const sums = new Map<string, { readonly plan: Plan; count: number; amount: bigint }>();
  for (const { planId, count } of charged) {
    const plan = plans.find(({ id }) => id === planId);
    if (plan === undefined) continue;
    const sum = sums.get(plan.mint) ?? { plan, count: 0, amount: 0n };
    sum.count += count;
    sum.amount += BigInt(count) * plan.amount;
    sums.set(plan.mint, sum);
  }
  return [...sums].sort(byMint).map(([mint, { plan, count, amount }]) => ({
    ...{ mint, symbol: tokenName(plan, tokens).unit, decimals: plan.decimals, count },
    amount: toAmountText(amount),
    amount_display: displayAmount(amount, plan.decimals),
  }));
}

function byMint([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** The filter of a store for the fields of a search. Throws `plan_not_found`. */
export async function subscriptionFilter(
  service: Service,
  project: Project,
  query: SubscriptionSearch,
): Promise<SubscriptionFilter> {
  const plan = query.plan === undefined ? null : await requireOncePublishedPlan(service, project, query.plan);
  return {
    ...idOrAddress(query.id ?? null),
    wallet: query.wallet ?? null,
    externalId: query.external_id ?? null,
    email: query.email ?? null,
    planId: plan?.id ?? null,
    status: query.status ?? null,
    late: query.late ?? null,
    blocked: query.blocked ?? null,
    failing: query.failing ?? null,
    ending: query.ending ?? null,
  };
}

/** An id has an underscore after its prefix, which base58 has not. */
export function idOrAddress(text: string | null): Pick<SubscriptionFilter, 'id' | 'address'> {
  return text?.includes('_') === true
    ? { id: text as SubscriptionId, address: null }
    : { id: null, address: text };
}

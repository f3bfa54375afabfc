import type {
  AttemptId,
  FoundPayments,
  PaymentFilter,
  PlanId,
  ProjectId,
  ReportStore,
  SubscriptionId,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import type { Place } from '../query/keyset.js';
import { inOrderOf, readWithPlans } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { walk, type Condition, type Way } from '../query/walk.js';
import { attemptTable } from '../tables/charges.js';
import type { SelectedRow } from '../tables/record-table.js';
import { subscriptionTable } from '../tables/subscriptions.js';
import { isOfCustomer, subscriptionsOfCustomer } from './subscription-search.js';

/** The most ways of a statement: a customer with more subscriptions is found among all attempts. */
const MOST_WAYS = 20;

const customer = subscriptionTable.only(['wallet', 'externalId', 'email']);
const [readAttempt, readCustomer] = [attemptTable.decoder(), customer.decoder()];

/** Lists the payments of a project: finds ids by an index, in steps, then reads the rows. */
export const paymentSearch = async (
  handle: Handle,
  ...[projectId, filter, { limit, startingAfter }]: Parameters<ReportStore['searchPayments']>
): Promise<FoundPayments | 'unknown_cursor'> => {
  const cursor = startingAfter === null ? null : await placeOf(handle, projectId, startingAfter);
  if (cursor === null && startingAfter !== null) return 'unknown_cursor';
  // A single upper limit, because of two an engine may use the later, and read everything in between.
  const end = filter.until === null ? null : { at: filter.until.getTime(), id: '' };
  const after = end !== null && (cursor === null || cursor.at >= end.at) ? end : cursor;
  const ways = await waysTo(handle, projectId, filter);
  const walked = { table: 'attempts', at: 'attempted_at' } as const;
  const { ids, next } = await walk(handle, walked, ways, after, limit);
  return { ...(await readPayments(handle, ids, projectId)), next: next as AttemptId | null };
};

async function placeOf(handle: Handle, projectId: ProjectId, id: AttemptId): Promise<Place<number> | null> {
  const row = await handle
    .selectFrom('attempts')
    .select(['id', 'attempted_at as at'])
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? null;
}

/** Ways along the rarest filter: the customer's subscriptions, failures, or the plans of a token. */
async function waysTo(handle: Handle, projectId: ProjectId, filter: PaymentFilter): Promise<readonly Way[]> {
  const { planId, mint, outcome, reason, since, signature } = filter;
  const isOf = (column: string, id: string) => sql<SqlBool>`${sql.ref(column)} = ${id}`;
  const ofProject = isOf('project_id', projectId);
  const ofPlan = planId === null ? [] : [isOf('plan_id', planId)];
  const ofToken =
    mint === null ? [] : [sql<SqlBool>`(select mint from plans where plans.id = plan_id) = ${mint}`];
  const kind = [
    ...(outcome === null ? [] : [isOf('outcome', outcome)]),
    ...(reason === null ? [] : [isOf('reason', reason)]),
    ...(signature === null ? [] : [isOf('signature', signature)]),
  ];
  const way = (indexed: readonly Condition[], checked: readonly Condition[]): Way => ({
    indexed: since === null ? indexed : [...indexed, sql<SqlBool>`attempted_at >= ${since.getTime()}`],
    checked: [...checked, ...kind],
  });

  const hasFailed = reason !== null || (outcome !== null && outcome !== 'paid');
  const whole = hasFailed ? [ofProject, sql<SqlBool>`outcome <> 'paid'`] : [ofProject];
  if (signature !== null) {
    const checked = [
      ...[ofProject, ...ofPlan, ...ofToken],
      ...(isCustomerNamed(filter) ? [isOfCustomer('attempts.subscription_id', projectId, filter)] : []),
    ];
    const charged = await subscriptionsOf(handle, signature);
    return charged.map((id) => way([isOf('subscription_id', id)], checked));
  }
  if (isCustomerNamed(filter)) {
    const { ids, next } = await subscriptionsOfCustomer(handle, projectId, filter, MOST_WAYS);
    return next === null
      ? ids.map((id) => way([isOf('subscription_id', id)], [...ofPlan, ...ofToken]))
      : [way(whole, [isOfCustomer('attempts.subscription_id', projectId, filter), ...ofPlan, ...ofToken])];
  }
  if (hasFailed) return [way(whole, [...ofPlan, ...ofToken])];
  if (planId !== null) return [way(ofPlan, [ofProject, ...ofToken])];
  if (mint === null) return [way(whole, [])];
  const plans = await plansOfToken(handle, projectId, mint);
  return plans.length > MOST_WAYS ? [way(whole, ofToken)] : plans.map((id) => way([isOf('plan_id', id)], []));
}

function isCustomerNamed({ id, address, wallet, externalId, email }: PaymentFilter): boolean {
  return [id, address, wallet, externalId, email].some((name) => name !== null);
}

/** The subscriptions that a transaction charged, of whatever project. */
async function subscriptionsOf(handle: Handle, signature: string): Promise<readonly SubscriptionId[]> {
  const rows = await handle
    .selectFrom('transfers')
    .select('subscription_id')
    .where('signature', '=', signature)
    .limit(MOST_WAYS)
    .execute();
  return rows.map((row) => row.subscription_id);
}

async function plansOfToken(handle: Handle, projectId: ProjectId, mint: string): Promise<readonly PlanId[]> {
  const rows = await handle
    .selectFrom('plans')
    .select('id')
    .where('project_id', '=', projectId)
    .where('mint', '=', mint)
    .limit(MOST_WAYS + 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Reads attempts of a project with their plans and customers, in the order of these ids. */
export async function readPayments(
  handle: Handle,
  ids: readonly string[],
  projectId: ProjectId,
): Promise<Pick<FoundPayments, 'found' | 'unreadable'>> {
  if (ids.length === 0) return { found: [], unreadable: [] };
  const rows = await handle
    .selectFrom('attempts')
    .innerJoin('subscriptions', 'subscriptions.id', 'attempts.subscription_id')
    .select(attemptTable.selection())
    .select(customer.selection())
    .select(['subscriptions.plan_id', 'attempts.project_id'])
    .where('attempts.id', 'in', ids as readonly AttemptId[])
    .execute();
  // Not by a condition, for which SQLite would walk all attempts of the project.
  const ofProject = rows.filter((row) => row.project_id === projectId);
  const { readable, unreadable } = await readWithPlans(
    handle,
    inOrderOf(ids, ofProject as readonly SelectedRow[]),
    (row) => ({
      planId: row['plan_id'] as PlanId,
      attempt: readAttempt(row),
      customer: readCustomer(row),
    }),
  );
  const found = readable.map(({ subscription: { attempt, customer: subscription }, plan }) => ({
    ...{ attempt, subscription, plan },
  }));
  return { found, unreadable };
}

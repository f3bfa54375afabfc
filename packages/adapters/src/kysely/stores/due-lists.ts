import {
  SUBSCRIPTION_DUE_FIELDS,
  type DuePlace,
  type DueSubscriptions,
  type PlanId,
  type ProjectId,
  type ReportStore,
  type SubscriptionId,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { inOrderOf, readWithPlans } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';
import type { SelectedRow } from '../tables/record-table.js';
import { RUNNING, subscriptionTable } from '../tables/subscriptions.js';

const dueSubscription = subscriptionTable.only(SUBSCRIPTION_DUE_FIELDS);
const readSubscription = dueSubscription.decoder();

/** The last instant that there is. */
const LATEST = new Date(8.64e15);

/** Literals, because an engine uses a partial index only then. */
const ENDING_WITH_PLAN = (['active', 'unpaid'] as const).map((status) => sql.lit(status));

/** What comes next in a project: the next tries of its subscriptions, and the ends of their plans. */
export function dueLists(
  db: Handle,
): (handle: Handle) => Pick<ReportStore, 'listByNextTry' | 'listByPlanEnd'> {
  const byNextTry = prepare(
    (values: { projectId: ProjectId; at: number; id: string; until: number; limit: number }) =>
      db
        .selectFrom('subscription_dates')
        .select(['subscription_id as id', 'next_try_at as at'])
        .where('project_id', '=', values.projectId)
        .where('status', 'in', RUNNING)
        .where('next_try_at', 'is not', null)
        .where(sql<SqlBool>`(next_try_at, subscription_id) > (${values.at}, ${values.id})`)
        .where('next_try_at', '<', values.until)
        .orderBy('next_try_at')
        .orderBy('subscription_id')
        .limit(values.limit),
  );
  // Without the plans that no subscription would follow.
  const endingPlans = prepare((values: { projectId: ProjectId; at: number }) =>
    db
      .selectFrom('plans')
      .select(['id', 'ends_at'])
      .where('project_id', '=', values.projectId)
      .where('ends_at', 'is not', null)
      .where('ends_at', '>=', values.at)
      .where((of) =>
        of(
          of
            .selectFrom('subscriptions')
            .select('subscriptions.id')
            .whereRef('subscriptions.project_id', '=', 'plans.project_id')
            .whereRef('subscriptions.plan_id', '=', 'plans.id')
            .where('subscriptions.status', 'in', ENDING_WITH_PLAN)
            // By the first one: for `exists` PostgreSQL reads all that runs in the project.
            .limit(1),
          'is not',
          null,
        ),
      )
      .orderBy('ends_at')
      .orderBy('id'),
  );
  const endingWithPlan = prepare((values: { planId: PlanId; id: string; limit: number }) =>
    db
      .selectFrom('subscriptions')
      .select(dueSubscription.selection())
      .where('plan_id', '=', values.planId)
      .where('status', 'in', ENDING_WITH_PLAN)
      .where('id', '>', values.id as never)
      .orderBy('id')
      .limit(values.limit),
  );

  return (handle) => ({
    async listByNextTry(projectId, after, limit, until = LATEST) {
      const { at, id } = cursorOf(after);
      const dates = await byNextTry.all(handle, {
        ...{ projectId, at, id, until: until.getTime(), limit: limit + 1 },
      });
      const { listed, next } = pageOf(dates, limit);
      if (listed.length === 0) return { due: [], unreadable: [], next };
      const ids = listed.map(({ id }) => id);
      const rows = await handle
        .selectFrom('subscriptions')
        .select(dueSubscription.selection())
        .where('id', 'in', ids)
        .where('status', 'in', RUNNING)
        .where('next_try_at', 'is not', null)
        .execute();
      return withPlans(handle, inOrderOf(ids, rows), next);
    },
    async listByPlanEnd(projectId, after, limit) {
      const cursor = cursorOf(after);
      const plans = await endingPlans.all(handle, { projectId, at: cursor.at });
      const ending: (Place & { readonly row: SelectedRow })[] = [];
      let endsAt: number | null = null;
      for (const plan of plans) {
        // Plans with the same end are read together, because the list is in the order of subscription ids.
        if (plan.ends_at !== endsAt && ending.length > limit) break;
        endsAt = plan.ends_at;
        const id = endsAt === cursor.at ? cursor.id : '';
        const rows = await endingWithPlan.all(handle, { planId: plan.id, id, limit: limit + 1 });
        ending.push(...rows.map((row) => ({ id: row['id'] as SubscriptionId, at: endsAt, row })));
      }
      const { listed, next } = pageOf(ending.sort(soonestFirst), limit);
      const rows = listed.map(({ row }) => row);
      return withPlans(handle, rows, next);
    },
  });
}

interface Place {
  readonly id: SubscriptionId;
  readonly at: number | null;
}

function cursorOf(after: DuePlace | null) {
  return { at: after?.at.getTime() ?? Number.MIN_SAFE_INTEGER, id: after?.id ?? '' };
}

function soonestFirst(one: Place, other: Place): number {
  return (one.at ?? 0) - (other.at ?? 0) || (one.id < other.id ? -1 : 1);
}

function pageOf<Listed extends Place>(all: readonly Listed[], limit: number) {
  const listed = all.slice(0, limit);
  const last = all.length > limit ? listed.at(-1) : undefined;
  return { listed, next: last === undefined ? null : { at: new Date(last.at ?? 0), id: last.id } };
}

async function withPlans(
  handle: Handle,
  rows: readonly SelectedRow[],
  next: DuePlace | null,
): Promise<DueSubscriptions> {
  const { readable, unreadable } = await readWithPlans(handle, rows, readSubscription);
  return { due: readable, unreadable, next };
}

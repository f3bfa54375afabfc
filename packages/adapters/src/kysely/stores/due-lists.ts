import {
  SUBSCRIPTION_DUE_FIELDS,
  type DuePlace,
  type DueSubscriptions,
  type PlanId,
  type ProjectId,
  type ReportStore,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { distinct, readEach, recordsBy, requireRow } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { planTable } from '../tables/projects.js';
import type { SelectedRow } from '../tables/record-table.js';
import { subscriptionTable } from '../tables/subscriptions.js';

const dueSubscription = subscriptionTable.only(SUBSCRIPTION_DUE_FIELDS);
const readSubscription = dueSubscription.decoder();
const readPlan = planTable.decoder();

/** As literals, because only so an engine uses a partial index. */
const RUNNING = (['active', 'unpaid', 'cancelled'] as const).map((status) => sql.lit(status));
const ENDING_WITH_PLAN = (['active', 'unpaid'] as const).map((status) => sql.lit(status));

/** The lists of what comes next in a project, by the next try of its subscriptions and by the ends of their plans. */
export function dueLists(
  db: Handle,
): (handle: Handle) => Pick<ReportStore, 'listByNextTry' | 'listByPlanEnd'> {
  const byNextTry = prepare((values: { projectId: ProjectId; at: number; id: string; limit: number }) =>
    db
      .selectFrom('subscriptions')
      .select(dueSubscription.selection())
      .where('project_id', '=', values.projectId)
      .where('status', 'in', RUNNING)
      .where('next_try_at', 'is not', null)
      .where(sql<SqlBool>`(next_try_at, id) > (${values.at}, ${values.id})`)
      .orderBy('next_try_at')
      .orderBy('id')
      .limit(values.limit),
  );
  // A plan without running subscriptions is left out, so that each of those that are read adds to the list.
  const endingPlans = prepare((values: { projectId: ProjectId; at: number }) =>
    db
      .selectFrom('plans')
      .select(['id', 'ends_at'])
      .where('project_id', '=', values.projectId)
      .where('ends_at', 'is not', null)
      .where('ends_at', '>=', values.at)
      .where((of) =>
        of.exists(
          of
            .selectFrom('subscriptions')
            .select('subscriptions.id')
            .whereRef('subscriptions.plan_id', '=', 'plans.id')
            .where('subscriptions.status', 'in', ENDING_WITH_PLAN),
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
    async listByNextTry(projectId, after, limit) {
      const { at, id } = cursorOf(after);
      const rows = await byNextTry.all(handle, { projectId, at, id, limit: limit + 1 });
      return withPlans(
        handle,
        rows.map((row) => ({ row, at: Number(row['next_try_at']) })),
        limit,
      );
    },
    async listByPlanEnd(projectId, after, limit) {
      const cursor = cursorOf(after);
      const plans = await endingPlans.all(handle, { projectId, at: cursor.at });
      const listed: Dated[] = [];
      let endsAt: number | null = null;
      for (const plan of plans) {
        // Those of plans with one end are in the order of their own ids, so all of these plans are read.
        if (plan.ends_at !== endsAt && listed.length > limit) break;
        endsAt = plan.ends_at;
        const id = endsAt === cursor.at ? cursor.id : '';
        const rows = await endingWithPlan.all(handle, { planId: plan.id, id, limit: limit + 1 });
        listed.push(...rows.map((row) => ({ row, at: endsAt ?? 0 })));
      }
      return withPlans(handle, listed.sort(soonestFirst), limit);
    },
  });
}

/** A row of a list, and its date there. */
interface Dated {
  readonly row: SelectedRow;
  readonly at: number;
}

function cursorOf(after: DuePlace | null) {
  return { at: after?.at.getTime() ?? Number.MIN_SAFE_INTEGER, id: after?.id ?? '' };
}

function soonestFirst(one: Dated, other: Dated): number {
  return one.at - other.at || (String(one.row['id']) < String(other.row['id']) ? -1 : 1);
}

/** Reads the first rows of a list with their plans. A row that cannot be read is set aside. */
async function withPlans(handle: Handle, listed: readonly Dated[], limit: number): Promise<DueSubscriptions> {
  const rows = listed.slice(0, limit);
  if (rows.length === 0) return { due: [], unreadable: [], next: null };
  const plans = await handle
    .selectFrom('plans')
    .select(planTable.selection())
    .where('id', 'in', distinct(rows.map(({ row }) => row['plan_id'] as PlanId)))
    .execute();
  const planOf = recordsBy('id', plans, readPlan);
  const { readable, unreadable } = readEach(
    rows.map(({ row }) => row),
    (row) => {
      const subscription = readSubscription(row);
      return { subscription, plan: requireRow(planOf(subscription.planId)) };
    },
  );
  const last = listed.length > limit ? rows.at(-1) : undefined;
  const next = last === undefined ? null : { at: new Date(last.at), id: last.row['id'] as never };
  return { due: readable, unreadable, next };
}

import type {
  ClaimedSubscription,
  Claims,
  PlanId,
  ProjectId,
  SubscriptionId,
  SubscriptionStore,
} from '@subrail/core/ports';
import { sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import { distinct, inOrderOf, readEach, recordsBy, requireRow } from '../query/related-rows.js';
import type { DialectTraits, Handle, Session } from '../query/session.js';
import { prepare, prepareList } from '../query/statement.js';
import { transferTable } from '../tables/charges.js';
import type { Database } from '../tables/database.js';
import { planTable, projectTable } from '../tables/projects.js';
import type { SelectedRow } from '../tables/record-table.js';
import { RUNNING, subscriptionTable } from '../tables/subscriptions.js';

type Operations = Pick<SubscriptionStore, 'claimDue' | 'listAccessEnds' | 'wakeSubscribers' | 'nextWakeAt'>;

const read = subscriptionTable.decoder();
const readPlan = planTable.decoder();
const readProject = projectTable.decoder();
const readTransfer = transferTable.decoder();

/**
 * Claims due subscriptions: moves `wakeAt` to the end of the lease, and reads the plan, project and open
 * transfer of each. A claim runs at most eight statements, whatever the number of subscriptions.
 */
export function claims(db: Handle): (session: Session) => Operations {
  const nextWakeAt = prepare(
    () =>
      db
        .selectFrom('subscription_dates')
        .select('wake_at')
        .where('wake_at', 'is not', null)
        .orderBy('wake_at')
        .limit(1),
    (row) => new Date(row.wake_at ?? 0),
  );

  const soonestBy = (date: 'wake_at' | 'access_ends_at') =>
    prepare((values: { now: number; limit: number }) =>
      db
        .selectFrom('subscription_dates')
        .select('subscription_id as id')
        .where(date, '<=', values.now)
        .orderBy(date)
        .orderBy('subscription_id')
        .limit(values.limit),
    );
  const soonestDue = soonestBy('wake_at');
  const soonestAccessEnds = soonestBy('access_ends_at');
  const ofIds = (ids: readonly SubscriptionId[]) =>
    db.selectFrom('subscriptions').select(subscriptionTable.selection()).where('id', 'in', ids);
  const withAccessEnded = prepareList((ids: readonly SubscriptionId[], values: { now: number }) =>
    ofIds(ids).where('access_ends_at', '<=', values.now),
  );
  /** The due rows of these ids, soonest first, without rows that another worker has locked. */
  const due = (locksRows: boolean) =>
    prepareList((ids: readonly SubscriptionId[], values: { now: number }) => {
      const rows = ofIds(ids).where('wake_at', '<=', values.now).orderBy('wake_at');
      return locksRows ? rows.forUpdate().skipLocked() : rows;
    });
  const dueLocked = due(true);
  const dueUnlocked = due(false);
  const lease = prepareList((ids: readonly SubscriptionId[], values: { wakeAt: number }) =>
    db
      .updateTable('subscriptions')
      .set({ wake_at: values.wakeAt, version: sql`version + 1` })
      .where('id', 'in', ids),
  );
  const readWithRelated = relatedReads(db);

  return ({ traits, handle, atomically }) => ({
    async claimDue(now, limit, leaseMs) {
      // Read outside of the transaction, so that a claim of nothing waits for no lock.
      const soonest = await soonestDue.all(handle, { now: now.getTime(), limit: limit + 1 });
      if (soonest.length === 0) return { claimed: [], unreadable: [] };
      return atomically(async (transaction) => {
        const ids =
          soonest.length <= limit
            ? soonest.map(({ id }) => id)
            : await findShares(transaction, traits, now.getTime(), limit);
        if (ids.length === 0) return { claimed: [], unreadable: [] };
        const dueNow = traits.locksRows ? dueLocked : dueUnlocked;
        const rows = await dueNow.all(transaction, ids, { now: now.getTime() });
        if (rows.length === 0) return { claimed: [], unreadable: [] };
        const wakeAt = new Date(now.getTime() + leaseMs);
        await lease.write(transaction, rows.map(idOf), { wakeAt: wakeAt.getTime() });
        const { claimed, unreadable } = await readWithRelated(transaction, rows);
        const leased = ({ subscription, ...related }: ClaimedSubscription): ClaimedSubscription => ({
          ...related,
          subscription: { ...subscription, wakeAt, version: subscription.version + 1 },
        });
        return { claimed: claimed.map(leased), unreadable };
      });
    },
    async listAccessEnds(now, limit) {
      const ends = await soonestAccessEnds.all(handle, { now: now.getTime(), limit });
      if (ends.length === 0) return { ended: [], unreadable: [] };
      const ids = ends.map(({ id }) => id);
      const rows = await withAccessEnded.all(handle, ids, { now: now.getTime() });
      if (rows.length === 0) return { ended: [], unreadable: [] };
      const { claimed, unreadable } = await readWithRelated(handle, inOrderOf(ids, rows));
      return { ended: claimed, unreadable };
    },
    wakeSubscribers: (planId, at, limit) =>
      atomically(async (transaction) => {
        const ofPlan = transaction
          .selectFrom('subscription_dates')
          .select('subscription_id')
          .where('plan_id', '=', planId)
          .where('status', 'in', RUNNING)
          // Subscriptions just claimed come last: their worker would lose its work, and claim them again
          // before the others.
          .orderBy('wake_at', 'desc');
        const later = await ofPlan.where('wake_at', '>', at.getTime()).limit(limit).execute();
        // Two queries, because one query would read the whole plan before its first row.
        const never =
          later.length < limit
            ? await ofPlan
                .where('wake_at', 'is', null)
                .limit(limit - later.length)
                .execute()
            : [];
        const ids = [...later, ...never].map(({ subscription_id: id }) => id);
        if (ids.length === 0) return 0;
        await transaction
          .updateTable('subscriptions')
          .set({ wake_at: at.getTime(), next_check_at: at.getTime(), version: sql`version + 1` })
          .where('id', 'in', ids)
          // Checked again, because another caller may have ended one meanwhile.
          .where('status', 'in', RUNNING)
          .where((row) => row.or([row('wake_at', '>', at.getTime()), row('wake_at', 'is', null)]))
          .execute();
        // A subscription that woke meanwhile counts too: fewer than the limit means that none is left.
        return ids.length;
      }),
    nextWakeAt: () => nextWakeAt.first(handle, {}),
  });
}

/** The subscriptions of a claim when more than `limit` are due: the soonest of each project. */
async function findShares(
  transaction: Handle,
  { locksRows }: DialectTraits,
  now: number,
  limit: number,
): Promise<readonly SubscriptionId[]> {
  const sharing = transaction
    .with(
      // Materialized, else an engine would look at every project several times.
      (name) => name('waiting').materialized(),
      (from) =>
        from.selectFrom('projects').select((of) => [
          'projects.id as project_id',
          // By the soonest: looking for any, an engine may take another index where few are due.
          of
            .selectFrom('subscription_dates')
            .select('subscription_dates.wake_at')
            .whereRef('subscription_dates.project_id', '=', 'projects.id')
            .where('subscription_dates.wake_at', 'is not', null)
            .orderBy('subscription_dates.wake_at')
            .limit(1)
            .as('soonest_at'),
        ]),
    )
    .selectFrom((from) => {
      const soonest = from
        .selectFrom('waiting')
        .select('waiting.project_id')
        .where('waiting.soonest_at', '<=', now)
        .orderBy('waiting.soonest_at');
      // SQLite drops the order of a joined query without a limit. A query that locks rows has no limit:
      // another worker may hold every row of the soonest projects.
      return (locksRows ? soonest : soonest.limit(limit)).as('due_project');
    });
  // Of each project the limit divided by the number of projects, rounded up.
  const soonestOf = (
    from: ExpressionBuilder<Database & { due_project: { project_id: ProjectId } }, 'due_project'>,
  ) =>
    from
      .selectFrom('subscription_dates as soonest')
      .whereRef('soonest.project_id', '=', 'due_project.project_id')
      .where('soonest.wake_at', '<=', now)
      .orderBy('soonest.wake_at')
      .orderBy('soonest.subscription_id')
      .limit(
        sql<number>`(select (${sql.lit(limit)} + count(*) - 1) / count(*) from waiting where waiting.soonest_at <= ${now})`,
      );
  const shared = locksRows
    ? // Rows that another worker claims now are skipped here: there are enough for both.
      sharing.innerJoinLateral(
        (from) =>
          soonestOf(from)
            .innerJoin('subscriptions', 'subscriptions.id', 'soonest.subscription_id')
            // Checked again on the locked row, which another worker may have claimed since. As a sum, because
            // the engine would otherwise expect few rows, and read all that are due first.
            .where(sql<SqlBool>`subscriptions.wake_at + 0 <= ${now}`)
            .select('soonest.subscription_id')
            .forUpdate('subscriptions')
            .skipLocked()
            .as('due'),
        (join) => join.onTrue(),
      )
    : // Not every engine has lateral joins.
      sharing.innerJoin('subscription_dates as due', (join) =>
        join.on('due.subscription_id', 'in', (from) => soonestOf(from).select('soonest.subscription_id')),
      );
  // Unordered: one project after the other until there are enough, so that no row is locked in vain.
  const rows = await shared.select('due.subscription_id as id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Reads rows with their plans, projects and open transfers, as `readEach` does. */
function relatedReads(db: Handle): (handle: Handle, rows: readonly SelectedRow[]) => Promise<Claims> {
  const plansOf = prepareList((ids: readonly PlanId[]) =>
    db.selectFrom('plans').select(planTable.selection()).where('id', 'in', ids),
  );
  const projectsOf = prepareList((ids: readonly ProjectId[]) =>
    db.selectFrom('projects').select(projectTable.selection()).where('id', 'in', ids),
  );
  const openTransfersOf = prepareList((ids: readonly SubscriptionId[]) =>
    db
      .selectFrom('transfers')
      .select(transferTable.selection())
      .where('subscription_id', 'in', ids)
      .where('state', '=', sql.lit('open')),
  );

  return async (handle, rows) => {
    const planIds = distinct(rows.map((row) => row['plan_id'] as PlanId));
    const projectIds = distinct(rows.map((row) => row['project_id'] as ProjectId));
    const planOf = recordsBy('id', await plansOf.all(handle, planIds, {}), readPlan);
    const projectOf = recordsBy('id', await projectsOf.all(handle, projectIds, {}), readProject);
    const transfers = await openTransfersOf.all(handle, rows.map(idOf), {});
    const transferOf = recordsBy('subscription_id', transfers, readTransfer);

    const { readable, unreadable } = readEach(rows, (row): ClaimedSubscription => {
      const subscription = read(row);
      return {
        subscription,
        plan: requireRow(planOf(subscription.planId)),
        project: requireRow(projectOf(subscription.projectId)),
        transfer: transferOf(subscription.id) ?? null,
      };
    });
    return { claimed: readable, unreadable };
  };
}

function idOf(row: SelectedRow): SubscriptionId {
  return row['id'] as SubscriptionId;
}

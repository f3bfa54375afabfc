import type { Plan, PlanId, PlanStore, ProjectId } from '@subrail/core/ports';
import type { RowOf } from '../tables/record-table.js';
import { sql } from 'kysely';
import { readEach } from '../query/related-rows.js';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare, prepareList } from '../query/statement.js';
import { planTable } from '../tables/projects.js';

const readPlan = planTable.decoder();

/** Plans, found by id or by slug. */
export function planStore(db: Handle): (session: Session) => PlanStore {
  const insertPlan = prepare((values: RowOf<typeof planTable>) =>
    db
      .insertInto('plans')
      .values(pick(values, planTable.columns))
      .onConflict((conflict) => conflict.doNothing()),
  );
  const updatePlan = prepare((values: RowOf<typeof planTable> & { previousVersion: number }) =>
    db
      .updateTable('plans')
      .set(pick(values, columnsExcept(planTable.columns, ['id'])))
      .where('id', '=', values.id)
      .where('version', '=', values.previousVersion),
  );
  const plans = db.selectFrom('plans').select(planTable.selection());
  const notFailed = plans.where('status', '<>', sql.lit('failed'));
  const findPlanByName = prepare((values: { projectId: ProjectId; name: string }) =>
    notFailed.where('project_id', '=', values.projectId).where('name', '=', values.name),
  );
  const findPlanBySlug = prepare(
    (values: { projectId: ProjectId; slug: string }) =>
      notFailed.where('project_id', '=', values.projectId).where('slug', '=', values.slug),
    readPlan,
  );
  const findPlan = prepare((values: { id: PlanId }) => plans.where('id', '=', values.id), readPlan);
  const newest = plans.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const listAll = prepare(
    (values: { projectId: ProjectId }) => newest.where('project_id', '=', values.projectId),
    readPlan,
  );
  const listOfStatuses = prepareList(
    (statuses: readonly Plan['status'][], values: { projectId: ProjectId }) =>
      newest.where('project_id', '=', values.projectId).where('status', 'in', statuses),
    readPlan,
  );

  const claimChecks = (locksRows: boolean) =>
    prepare((values: { now: number; limit: number; leasedUntil: number }) => {
      const soonest = db
        .selectFrom('plans')
        .select('id')
        .where('next_check_at', '<=', values.now)
        .orderBy('next_check_at')
        .limit(values.limit);
      return (
        db
          // Each once: an engine that looked for them again at every plan would lock more than the limit.
          .with(
            (name) => name('due').materialized(),
            () => (locksRows ? soonest.forNoKeyUpdate().skipLocked() : soonest),
          )
          .updateTable('plans')
          .set({ next_check_at: values.leasedUntil })
          .where('id', 'in', (from) => from.selectFrom('due').select('due.id'))
          .returning(planTable.selection())
      );
    });
  const firstCheck = prepare((values: { now: number }) =>
    db.selectFrom('plans').select('id').where('next_check_at', '<=', values.now).limit(1),
  );
  const claimLocked = claimChecks(true);
  const claimUnlocked = claimChecks(false);
  const scheduleChecks = prepareList((ids: readonly PlanId[], values: { nextCheckAt: number | null }) =>
    db.updateTable('plans').set({ next_check_at: values.nextCheckAt }).where('id', 'in', ids),
  );

  /** Which field kept a plan from being inserted: another plan has the same name or the same slug. */
  async function conflictOf(plan: Plan, handle: Handle): Promise<'name' | 'slug'> {
    const { projectId, name, slug } = plan;
    if ((await findPlanByName.first(handle, { projectId, name })) !== null) return 'name';
    if ((await findPlanBySlug.first(handle, { projectId, slug })) !== null) return 'slug';
    throw new Error(`Plan ${plan.id} was not inserted: another plan has its id.`);
  }

  return (session) => ({
    insertPlan: (plan) =>
      session.atomically(async (handle) =>
        (await insertPlan.write(handle, planTable.encode(plan))) === 1
          ? 'inserted'
          : conflictOf(plan, handle),
      ),
    updatePlan: (plan) =>
      lostOnConflict(session, async (handle) => {
        const row = { ...planTable.encode(plan), previousVersion: plan.version - 1 };
        if ((await updatePlan.write(handle, row)) !== 1) throw new WriteConflict();
        return 'updated' as const;
      }),
    findPlan: (id) => findPlan.first(session.handle, { id }),
    findPlanBySlug: (projectId, slug) => findPlanBySlug.first(session.handle, { projectId, slug }),
    async claimPlanChecks(now, limit, leaseMs) {
      // A claim of nothing would wait for the lock of another writer.
      if ((await firstCheck.first(session.handle, { now: now.getTime() })) === null)
        return { claimed: [], unreadable: [] };
      const claim = session.traits.locksRows ? claimLocked : claimUnlocked;
      const times = { now: now.getTime(), leasedUntil: now.getTime() + leaseMs };
      const rows = await claim.all(session.handle, { ...times, limit });
      const { readable, unreadable } = readEach(rows, readPlan);
      return { claimed: readable, unreadable };
    },
    async schedulePlanChecks(ids, nextCheckAt) {
      if (ids.length === 0) return;
      await scheduleChecks.write(session.handle, ids, { nextCheckAt: nextCheckAt?.getTime() ?? null });
    },
    async listPlans(projectId, statuses) {
      if (statuses === null) return listAll.all(session.handle, { projectId });
      return statuses.length === 0 ? [] : listOfStatuses.all(session.handle, statuses, { projectId });
    },
  });
}

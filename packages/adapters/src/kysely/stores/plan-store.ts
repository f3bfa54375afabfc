import type { Plan, PlanId, PlanStore, ProjectId } from '@subrail/core/ports';
import type { RowOf } from '../tables/record-table.js';
import { sql } from 'kysely';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import { planTable } from '../tables/projects.js';

const readPlan = planTable.decoder();

/** Plans, found by id or by slug. */
export function planStore(db: Handle): (session: Session) => PlanStore {
  const insert = prepare((given: RowOf<typeof planTable>) =>
    db
      .insertInto('plans')
      .values(pick(given, planTable.columns))
      .onConflict((conflict) => conflict.doNothing()),
  );
  const update = prepare((given: RowOf<typeof planTable> & { previousVersion: number }) =>
    db
      .updateTable('plans')
      .set(pick(given, columnsExcept(planTable.columns, ['id'])))
      .where('id', '=', given.id)
      .where('version', '=', given.previousVersion),
  );
  const notFailed = db
    .selectFrom('plans')
    .select(planTable.selection())
    .where('status', '<>', sql.lit('failed'));
  const findByName = prepare((given: { projectId: ProjectId; name: string }) =>
    notFailed.where('project_id', '=', given.projectId).where('name', '=', given.name),
  );
  const findBySlug = prepare((given: { projectId: ProjectId; slug: string }) =>
    notFailed.where('project_id', '=', given.projectId).where('slug', '=', given.slug),
  );
  const find = prepare((given: { id: PlanId }) =>
    db.selectFrom('plans').select(planTable.selection()).where('id', '=', given.id),
  );
  const listPublished = prepare((given: { projectId: ProjectId }) =>
    db
      .selectFrom('plans')
      .select(planTable.selection())
      .where('project_id', '=', given.projectId)
      .where('status', 'in', ['active', 'sunset'])
      .orderBy('slug'),
  );

  /** Which field kept a plan from being inserted: another plan has the same name or the same slug. */
  async function conflictOf(plan: Plan, handle: Handle): Promise<'name' | 'slug'> {
    const { projectId, name, slug } = plan;
    if ((await findByName.first(handle, { projectId, name })) !== null) return 'name';
    if ((await findBySlug.first(handle, { projectId, slug })) !== null) return 'slug';
    throw new Error(`Plan ${plan.id} was not inserted: another plan has its id.`);
  }

  return (session) => ({
    insertPlan: (plan) =>
      session.atomically(async (handle) =>
        (await insert.write(handle, planTable.encode(plan))) === 1 ? 'inserted' : conflictOf(plan, handle),
      ),
    updatePlan: (plan) =>
      lostOnConflict(session, async (handle) => {
        const row = { ...planTable.encode(plan), previousVersion: plan.version - 1 };
        if ((await update.write(handle, row)) !== 1) throw new WriteConflict();
        return 'updated' as const;
      }),
    async findPlan(id) {
      const row = await find.first(session.handle, { id });
      return row === null ? null : readPlan(row);
    },
    async findPlanBySlug(projectId, slug) {
      const row = await findBySlug.first(session.handle, { projectId, slug });
      return row === null ? null : readPlan(row);
    },
    async listPublishedPlans(projectId) {
      return (await listPublished.all(session.handle, { projectId })).map(readPlan);
    },
  });
}

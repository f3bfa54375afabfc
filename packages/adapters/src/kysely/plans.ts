import type { Plan, PlanId, ProjectId, StoreOperations } from '@subrail/core/ports';
import type { RowOf } from './codec/record-table.js';
import { sql } from 'kysely';
import { LostRace, unlessLost, type Handle, type Session } from './session.js';
import { changing, pick, prepare } from './statement.js';
import { planTable } from './tables/projects.js';

type PlanOperations = Pick<
  StoreOperations,
  'insertPlan' | 'updatePlan' | 'findPlan' | 'findPlanBySlug' | 'listPublishedPlans'
>;

const readPlan = planTable.decoder();

export function planOperations(db: Handle): (session: Session) => PlanOperations {
  const insert = prepare((given: RowOf<typeof planTable>) =>
    db
      .insertInto('plans')
      .values(pick(given, planTable.columns))
      .onConflict((clash) => clash.doNothing()),
  );
  const update = prepare((given: RowOf<typeof planTable> & { before: number }) =>
    db
      .updateTable('plans')
      .set(pick(given, changing(planTable.columns, ['id'])))
      .where('id', '=', given.id)
      .where('version', '=', given.before),
  );
  const standing = db
    .selectFrom('plans')
    .select(planTable.selection())
    .where('status', '<>', sql.lit('failed'));
  const findByName = prepare((given: { projectId: ProjectId; name: string }) =>
    standing.where('project_id', '=', given.projectId).where('name', '=', given.name),
  );
  const findBySlug = prepare((given: { projectId: ProjectId; slug: string }) =>
    standing.where('project_id', '=', given.projectId).where('slug', '=', given.slug),
  );
  const find = prepare((given: { id: PlanId }) =>
    db.selectFrom('plans').select(planTable.selection()).where('id', '=', given.id),
  );
  const published = prepare((given: { projectId: ProjectId }) =>
    db
      .selectFrom('plans')
      .select(planTable.selection())
      .where('project_id', '=', given.projectId)
      .where('status', 'in', ['active', 'sunset'])
      .orderBy('slug'),
  );

  /** Which plan stood in the way of one that was not inserted. */
  async function clashOf(plan: Plan, handle: Handle): Promise<'name' | 'slug'> {
    const { projectId, name, slug } = plan;
    if ((await findByName.first(handle, { projectId, name })) !== null) return 'name';
    if ((await findBySlug.first(handle, { projectId, slug })) !== null) return 'slug';
    throw new Error(`Plan ${plan.id} cannot be inserted: its id is taken.`);
  }

  return (session) => ({
    insertPlan: (plan) =>
      session.atomically(async (handle) =>
        (await insert.write(handle, planTable.encode(plan))) === 1 ? 'inserted' : clashOf(plan, handle),
      ),
    updatePlan: (plan) =>
      unlessLost(session, async (handle) => {
        const row = { ...planTable.encode(plan), before: plan.version - 1 };
        if ((await update.write(handle, row)) !== 1) throw new LostRace();
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
      return (await published.all(session.handle, { projectId })).map(readPlan);
    },
  });
}

import type {
  AttemptId,
  PlanId,
  ProjectId,
  ReportedAttempt,
  ReportStore,
  RunningCount,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { placeFrom } from '../query/keyset.js';
import { readEach } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { attemptTable } from '../tables/charges.js';
import { RUNNING } from '../tables/subscriptions.js';

const reportedAttempt = attemptTable.only([
  'id',
  'attemptedAt',
  'outcome',
  'reason',
  'amount',
  'amountUsd',
  'fee',
  'retry',
  'retryNumber',
]);
const readAttempt = reportedAttempt.decoder();

type Activity = Pick<ReportStore, 'listProjectAttempts' | 'countRunning'>;

/** The attempts of a project, and how many of its subscriptions run. */
export function activity(db: Handle): (handle: Handle) => Activity {
  const attempts = prepare(
    (values: { projectId: ProjectId; until: number; at: number; id: string; limit: number }) =>
      db
        .selectFrom('attempts')
        .select(reportedAttempt.selection())
        .select('plan_id')
        .where('project_id', '=', values.projectId)
        .where('attempted_at', '<', values.until)
        .where(sql<SqlBool>`(attempted_at, id) > (${values.at}, ${values.id})`)
        .orderBy('attempted_at')
        .orderBy('id')
        .limit(values.limit),
  );
  const running = prepare((values: { projectId: ProjectId }) =>
    db
      .selectFrom('subscriptions')
      .select(({ fn }) => [
        'plan_id as planId',
        sql<RunningCount['status']>`status`.as('status'),
        fn.countAll<number>().as('count'),
        fn.count<number>('paused_at').as('parked'),
        fn.count<number>('blocked_since').as('blocked'),
      ])
      .where('project_id', '=', values.projectId)
      .where('status', 'in', RUNNING)
      .groupBy(['plan_id', 'status']),
  );
  return (handle) => ({
    async listProjectAttempts(projectId, since, until, after, limit) {
      const place = placeFrom(since, after && { at: after.attemptedAt, id: after.id });
      const values = { projectId, until: until.getTime(), ...place, limit: limit + 1 };
      const rows = await attempts.all(handle, values);
      const { readable, unreadable } = readEach(rows.slice(0, limit), (row): ReportedAttempt => ({
        ...readAttempt(row),
        planId: row['plan_id'] as PlanId,
      }));
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      const next = last && {
        id: last['id'] as AttemptId,
        attemptedAt: new Date(Number(last['attempted_at'])),
      };
      return { attempts: readable, unreadable, next: next ?? null };
    },
    countRunning: (projectId) => running.all(handle, { projectId }),
  });
}

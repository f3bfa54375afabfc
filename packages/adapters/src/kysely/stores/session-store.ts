import type {
  LinkId,
  ProjectId,
  SessionId,
  SessionStore,
  SessionSubscription,
  SubscriptionId,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { changeBatch } from '../query/change-batch.js';
import { insertRecords } from '../query/insert-rows.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { projectTable } from '../tables/projects.js';
import { linkTable, projectLookTable, sessionSubscriptionTable, sessionTable } from '../tables/sessions.js';

const readSession = sessionTable.decoder();
const readSessionOfSecret = sessionTable.decoder('session_');
const readProject = projectTable.decoder('project_');
const readRow = sessionSubscriptionTable.decoder();
const readLook = projectLookTable.decoder();
const readLink = linkTable.decoder();

/** A row of a session: what it built, and when it was submitted. */
interface Built {
  readonly sessionId: SessionId;
  readonly subscriptionId: SubscriptionId;
  readonly reservedAt: number;
  readonly submittedAt: number | null;
}

/** The sessions of customers' pages, the subscriptions of each, and the links that open sessions. */
export function sessionStore(db: Handle): (session: Session) => SessionStore {
  const insertSession = insertRecords(db, 'sessions', sessionTable);
  const findSession = prepare(
    (values: { projectId: ProjectId; id: SessionId }) =>
      db
        .selectFrom('sessions')
        .select(sessionTable.selection())
        .where('id', '=', values.id)
        .where('project_id', '=', values.projectId),
    readSession,
  );
  const findBySecret = prepare(
    (values: { secretHash: string }) =>
      db
        .selectFrom('sessions')
        .innerJoin('projects', 'projects.id', 'sessions.project_id')
        .select(sessionTable.selection('session_'))
        .select(projectTable.selection('project_'))
        .where('sessions.secret_hash', '=', values.secretHash),
    (row) => ({ session: readSessionOfSecret(row), project: readProject(row) }),
  );

  /** Inserts the row of a session, of which it takes the project, unless there is no such session. */
  const insertBuilt = (values: Built, locksRows: boolean) => {
    const ofSession = db
      .selectFrom('sessions')
      .select([
        'id',
        // Cast, because the types of values in a list of columns are unknown to PostgreSQL.
        sql<SubscriptionId>`cast(${values.subscriptionId} as text)`.as('subscription_id'),
        sql<ProjectId | null>`case when link_id is not null then project_id end`.as('project_of_link'),
        sql<number>`cast(${values.reservedAt} as bigint)`.as('reserved_at'),
        sql<number | null>`cast(${values.submittedAt} as bigint)`.as('submitted_at'),
      ])
      .where('id', '=', values.sessionId);
    return db
      .insertInto('session_subscriptions')
      .columns(['session_id', 'subscription_id', 'project_of_link', 'reserved_at', 'submitted_at'])
      .expression(
        // So that it is not deleted before its row is there.
        locksRows ? ofSession.forKeyShare() : ofSession,
      );
  };
  const reserving = (locksRows: boolean) =>
    prepare((values: Built) =>
      insertBuilt(values, locksRows).onConflict((conflict) =>
        conflict
          .columns(['session_id', 'subscription_id'])
          .doUpdateSet((row) => ({ reserved_at: row.ref('excluded.reserved_at') }))
          .where('session_subscriptions.submitted_at', 'is', null)
          .whereRef('session_subscriptions.reserved_at', '<', 'excluded.reserved_at'),
      ),
    );
  const submitting = (locksRows: boolean) =>
    prepare((values: Built) =>
      insertBuilt(values, locksRows).onConflict((conflict) =>
        conflict
          .columns(['session_id', 'subscription_id'])
          .doUpdateSet((row) => ({ submitted_at: row.ref('excluded.submitted_at') }))
          .where('session_subscriptions.submitted_at', 'is', null),
      ),
    );
  const [reserve, reserveLocked] = [reserving(false), reserving(true)];
  const [submit, submitLocked] = [submitting(false), submitting(true)];

  const listBuilt = prepare(
    (values: { sessionId: SessionId }) =>
      db
        .selectFrom('session_subscriptions')
        .select(sessionSubscriptionTable.selection())
        .where('session_id', '=', values.sessionId)
        .orderBy('reserved_at', 'desc')
        .orderBy('subscription_id', 'desc'),
    (row): SessionSubscription => readRow(row),
  );
  const countReserved = prepare((values: { projectId: ProjectId; since: number; most: number }) =>
    db
      .selectFrom(
        db
          .selectFrom('session_subscriptions')
          .select('session_id')
          .where('project_of_link', '=', values.projectId)
          .where('submitted_at', 'is', null)
          .where('reserved_at', '>=', values.since)
          .limit(values.most)
          .as('reserved'),
      )
      .select(({ fn }) => fn.countAll<number>().as('count')),
  );

  const saveLook = prepare(({ project_id, accent, logo }: ReturnType<typeof projectLookTable.encode>) =>
    db
      .insertInto('project_looks')
      .values({ project_id, accent, logo })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ accent, logo })),
  );
  const findLook = prepare(
    (values: { projectId: ProjectId }) =>
      db
        .selectFrom('project_looks')
        .select(projectLookTable.selection())
        .where('project_id', '=', values.projectId),
    readLook,
  );

  const insertLink = insertRecords(db, 'links', linkTable);
  const links = db.selectFrom('links').select(linkTable.selection());
  const findLink = prepare((values: { id: LinkId }) => links.where('id', '=', values.id), readLink);
  const listLinks = prepare(
    (values: { projectId: ProjectId }) =>
      links.where('project_id', '=', values.projectId).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    readLink,
  );
  const endLink = prepare((values: { projectId: ProjectId; id: LinkId; at: number }) =>
    db
      .updateTable('links')
      .set({ ended_at: values.at })
      .where('id', '=', values.id)
      .where('project_id', '=', values.projectId)
      .where('ended_at', 'is', null),
  );

  const expired = prepare((values: { before: number; afterAt: number; afterId: string; limit: number }) =>
    db
      .selectFrom('sessions')
      .select(['id', 'expires_at as at', sql.lit(0).as('stays')])
      .where('expires_at', '<', values.before)
      .where(sql<SqlBool>`(expires_at, id) > (${values.afterAt}, ${values.afterId})`)
      .orderBy('expires_at')
      .orderBy('id')
      .limit(values.limit),
  );

  return ({ handle, traits, atomically }) => ({
    insertSession: (session) => insertSession(handle, [session]),
    findSession: (projectId, id) => findSession.first(handle, { projectId, id }),
    findSessionBySecret: (secretHash) => findBySecret.first(handle, { secretHash }),
    async reserveForSession({ sessionId, subscriptionId, reservedAt }) {
      const row = { sessionId, subscriptionId, reservedAt: reservedAt.getTime(), submittedAt: null };
      await (traits.locksRows ? reserveLocked : reserve).write(handle, row);
    },
    async submitForSession(sessionId, subscriptionId, at) {
      const row = { sessionId, subscriptionId, reservedAt: at.getTime(), submittedAt: at.getTime() };
      await (traits.locksRows ? submitLocked : submit).write(handle, row);
    },
    listSessionSubscriptions: (sessionId) => listBuilt.all(handle, { sessionId }),
    async countReservedByLinks(projectId, since, most) {
      return (await countReserved.first(handle, { projectId, since: since.getTime(), most }))?.count ?? 0;
    },

    async saveProjectLook(look) {
      await saveLook.write(handle, projectLookTable.encode(look));
    },
    findProjectLook: (projectId) => findLook.first(handle, { projectId }),

    insertLink: (link) => insertLink(handle, [link]),
    findLink: (id) => findLink.first(handle, { id }),
    listLinks: (projectId) => listLinks.all(handle, { projectId }),
    async endLink(projectId, id, at) {
      await endLink.write(handle, { projectId, id, at: at.getTime() });
      const link = await findLink.first(handle, { id });
      return link?.projectId === projectId ? link : null;
    },

    deleteSessions: (expiredBefore, limit, after) =>
      atomically(async (step) => {
        const rows = await expired.all(step, {
          before: expiredBefore.getTime(),
          afterAt: after?.at.getTime() ?? Number.MIN_SAFE_INTEGER,
          afterId: after?.id ?? '',
          limit,
        });
        return changeBatch(rows, limit, async (ids) => {
          const deleted = await step.deleteFrom('sessions').where('id', 'in', ids).executeTakeFirst();
          return Number(deleted.numDeletedRows);
        });
      }),
  });
}

import type {
  LinkId,
  ProjectId,
  SessionId,
  SessionStore,
  SessionSubscription,
  SubscriptionId,
} from '@subrail/core/ports';
import { sql, type DeleteResult, type ExpressionBuilder, type SqlBool } from 'kysely';
import { changeBatch, type BatchRow } from '../query/change-batch.js';
import { insertRecords } from '../query/insert-rows.js';
import type { Handle, Session } from '../query/session.js';
import { prepare, type Statement } from '../query/statement.js';
import type { Database } from '../tables/database.js';
import { projectTable } from '../tables/projects.js';
import { linkTable, projectLookTable, sessionSubscriptionTable, sessionTable } from '../tables/sessions.js';
import { subscriptionTable } from '../tables/subscriptions.js';

const readSession = sessionTable.decoder();
const readSessionOfSecret = sessionTable.decoder('session_');
const readProject = projectTable.decoder('project_');
const readRow = sessionSubscriptionTable.decoder();
const readLook = projectLookTable.decoder();
const readLink = linkTable.decoder();
const readSubscription = subscriptionTable.decoder();

/** A row of a session: what it built, and when it was submitted. */
interface Built {
  readonly sessionId: SessionId;
  readonly subscriptionId: SubscriptionId;
  readonly reservedAt: number;
  readonly submittedAt: number | null;
}

/** A batch of sessions that expired before an instant. */
interface Old {
  readonly before: number;
  readonly afterAt: number;
  readonly afterId: string;
  readonly limit: number;
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

  /** Inserts the row of a session, unless there is no such session. */
  const insertBuilt = (values: Built, locksRows: boolean) => {
    const ofSession = db
      .selectFrom('sessions')
      .select([
        'id',
        // Cast, because the types of values in a list of columns are unknown to PostgreSQL.
        sql<SubscriptionId>`cast(${values.subscriptionId} as text)`.as('subscription_id'),
        sql<number>`cast(${values.reservedAt} as bigint)`.as('reserved_at'),
        sql<number | null>`cast(${values.submittedAt} as bigint)`.as('submitted_at'),
      ])
      .where('id', '=', values.sessionId);
    return db
      .insertInto('session_subscriptions')
      .columns(['session_id', 'subscription_id', 'reserved_at', 'submitted_at'])
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
  const pendingOfLinks = (projectId: ProjectId) =>
    db
      .selectFrom('subscriptions')
      .where('project_id', '=', projectId)
      // Literals, for the partial index.
      .where('status', '=', sql.lit('pending' as const))
      .where('reserved_by_link', 'is not', null)
      .where((of) => of(signed(of), 'is', null));
  const readPendingOfLinks = prepare(
    (values: { projectId: ProjectId }) =>
      pendingOfLinks(values.projectId)
        .select(subscriptionTable.selection())
        .select(
          pendingOfLinks(values.projectId)
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .as('count'),
        )
        .orderBy('checkout_expires_at')
        .limit(1),
    (row) => ({ count: row.count ?? 0, oldest: readSubscription(row) }),
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

  const old = ({ before, afterAt, afterId, limit }: Old) =>
    db
      .selectFrom('sessions')
      .select(['id', 'expires_at as at'])
      .where('expires_at', '<', before)
      .where(sql<SqlBool>`(expires_at, id) > (${afterAt}, ${afterId})`)
      .orderBy('expires_at')
      .orderBy('id')
      .limit(limit);
  const oldSessions = prepare((values: Old) => old(values).select(sql.lit(0).as('stays')));
  const oldVisits = prepare((values: Old) =>
    old(values)
      .where('link_id', 'is not', null)
      .select((of) => of(submitted(of), 'is not', null).as('stays')),
  );

  /** Reads the sessions that expired first, and deletes those that may go. */
  function deleting(
    expired: Statement<Old, BatchRow<SessionId>>,
    remove: (step: Handle, ids: readonly SessionId[]) => { executeTakeFirst(): Promise<DeleteResult> },
  ) {
    return ({ atomically, traits }: Session): SessionStore['deleteSessions'] =>
      (expiredBefore, limit, after) =>
        atomically(async (step) => {
          const rows = await expired.all(step, {
            before: expiredBefore.getTime(),
            afterAt: after?.at.getTime() ?? Number.MIN_SAFE_INTEGER,
            afterId: after?.id ?? '',
            limit,
          });
          return changeBatch(rows, limit, async (ids) => {
            // A caller that builds or submits something holds a lock, and its row is there afterwards.
            if (traits.locksRows)
              await step
                .selectFrom('sessions')
                .select('id')
                .where('id', 'in', ids)
                .orderBy('id')
                .forUpdate()
                .execute();
            return Number((await remove(step, ids).executeTakeFirst()).numDeletedRows);
          });
        });
  }
  const removed = (step: Handle, ids: readonly SessionId[]) =>
    step.deleteFrom('sessions').where('id', 'in', ids);
  const deleteSessions = deleting(oldSessions, removed);
  const deleteUnusedVisits = deleting(oldVisits, (step, ids) =>
    removed(step, ids).where((of) => of(submitted(of), 'is', null)),
  );

  return (session) => {
    const { handle, traits } = session;
    return {
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
      readPendingOfLinks: async (projectId) =>
        (await readPendingOfLinks.first(handle, { projectId })) ?? { count: 0, oldest: null },

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

      deleteUnusedVisits: deleteUnusedVisits(session),
      deleteSessions: deleteSessions(session),
    };
  };
}

/** Signed terms of a subscription, if any. */
function signed(of: ExpressionBuilder<Database, 'subscriptions'>) {
  return of
    .selectFrom('signed_terms')
    .select('signed_terms.subscription_id')
    .whereRef('signed_terms.subscription_id', '=', 'subscriptions.id')
    .limit(1);
}

/** A row of a session that was submitted, if any. */
function submitted(of: ExpressionBuilder<Database, 'sessions'>) {
  return of
    .selectFrom('session_subscriptions')
    .select('session_subscriptions.session_id')
    .whereRef('session_subscriptions.session_id', '=', 'sessions.id')
    .where('session_subscriptions.submitted_at', 'is not', null)
    .limit(1);
}

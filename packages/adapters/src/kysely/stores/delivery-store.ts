import type {
  DeliveryAttempt,
  DeliveryId,
  DeliveryStore,
  DueDelivery,
  EndpointId,
  EventId,
  ManagementStore,
  ProjectId,
  ReportStore,
  RetentionStore,
} from '@subrail/core/ports';
import { sql } from 'kysely';
import { endpointClaims } from './claim-endpoints.js';
import { hastening } from './hasten-deliveries.js';
import { insertRecords } from '../query/insert-rows.js';
import { newestPage } from '../query/keyset.js';
import { distinct, readEach, recordsBy, requireRow } from '../query/related-rows.js';
import type { Handle, Session } from '../query/session.js';
import { columnsExcept, pick, prepare, prepareList } from '../query/statement.js';
import type { RowOf } from '../tables/record-table.js';
import { deliveryAttemptTable, deliveryTable, eventTable } from '../tables/webhooks.js';

type Sending = Omit<DeliveryStore, 'failDeliveries'> & Pick<ReportStore, 'nextDeliveryAt'>;
type Records = Pick<DeliveryStore, 'failDeliveries'> &
  Pick<
    ManagementStore,
    | 'insertDeliveries'
    | 'resendDeliveries'
    | 'listTestDeliveries'
    | 'failUnfinishedTests'
    | 'findDelivery'
    | 'listDeliveryAttempts'
    | 'listDeliveries'
  > &
  Pick<ReportStore, 'listProjectDeliveries'>;
type Deliveries = Sending & Records & Pick<RetentionStore, 'hastenDeliveries'>;

const readDelivery = deliveryTable.decoder();
const readEvent = eventTable.decoder();

/** A literal, because an engine uses a partial index only when the text of the query names the state. */
const PENDING = sql.lit('pending' as const);

export function deliveryStore(db: Handle): (session: Session) => Deliveries {
  const [sendingOf, recordsOf, hasteningOf] = [sending(db), records(db), hastening(db)];
  return (session) => ({
    ...sendingOf(session),
    ...recordsOf(session),
    hastenDeliveries: hasteningOf(session),
  });
}

/** What a sender does. */
function sending(db: Handle): (session: Session) => Sending {
  const releaseEndpoint = prepare((values: { id: EndpointId; leasedUntil: number }) =>
    db
      .updateTable('endpoint_leases')
      .set({ until: 0 })
      .where('endpoint_id', '=', values.id)
      .where('until', '=', values.leasedUntil),
  );
  const dueDeliveries = prepare((values: { endpointId: EndpointId; now: number; limit: number }) =>
    db
      .selectFrom('deliveries')
      .select(deliveryTable.selection())
      .where('endpoint_id', '=', values.endpointId)
      .where('state', '=', PENDING)
      .where('next_attempt_at', '<=', values.now)
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(values.limit),
  );
  const postpone = prepareList((ids: readonly DeliveryId[], values: { nextAttemptAt: number }) =>
    db
      .updateTable('deliveries')
      .set({ next_attempt_at: values.nextAttemptAt })
      .where('id', 'in', ids)
      .where('state', '=', PENDING),
  );
  const settleDelivery = prepare(
    (values: RowOf<typeof deliveryTable> & { previousAttempts: number; wasDueAt: number | null }) =>
      db
        .updateTable('deliveries')
        .set(
          pick(
            values,
            columnsExcept(deliveryTable.columns, ['id', 'project_id', 'event_id', 'endpoint_id', 'type']),
          ),
        )
        .where('id', '=', values.id)
        .where('attempts', '=', values.previousAttempts)
        .where('state', '=', PENDING)
        .where('next_attempt_at', 'is not distinct from', values.wasDueAt),
  );
  const insertAttempts = insertRecords(db, 'delivery_attempts', deliveryAttemptTable);
  const nextDeliveryAt = prepare(
    () =>
      db
        .selectFrom('deliveries')
        .select('next_attempt_at')
        .where('state', '=', PENDING)
        .where('next_attempt_at', 'is not', null)
        .orderBy('next_attempt_at')
        .limit(1),
    (row) => new Date(row.next_attempt_at ?? 0),
  );

  return (session) => {
    const { handle, atomically } = session;
    return {
      claimEndpoints: endpointClaims(session),
      async releaseEndpoint(id, leasedUntil) {
        await releaseEndpoint.write(handle, { id, leasedUntil: leasedUntil.getTime() });
      },
      async listDueDeliveries(endpointId, now, limit, unreadableUntil) {
        const rows = await dueDeliveries.all(handle, { endpointId, now: now.getTime(), limit });
        if (rows.length === 0) return { due: [], unreadable: [] };
        const events = await handle
          .selectFrom('events')
          .select(eventTable.selection())
          .where('id', 'in', distinct(rows.map((row) => row['event_id'] as EventId)))
          .execute();
        const eventOf = recordsBy('id', events, readEvent);
        const { readable, unreadable } = readEach(rows, (row): DueDelivery => {
          const delivery = readDelivery(row);
          const eventId = requireRow(delivery.eventId ?? undefined);
          return { delivery: { ...delivery, eventId }, event: requireRow(eventOf(eventId)) };
        });
        const ids = unreadable.map(({ id }) => id as DeliveryId);
        if (ids.length > 0) await postpone.write(handle, ids, { nextAttemptAt: unreadableUntil.getTime() });
        return { due: readable, unreadable };
      },
      settleDeliveries: (results) =>
        atomically(async (transaction) => {
          const outcomes: ('settled' | 'lost')[] = [];
          const attempts: DeliveryAttempt[] = [];
          for (const { delivery, wasDueAt, attempt } of results) {
            const row = {
              ...deliveryTable.encode(delivery),
              previousAttempts: delivery.attempts - 1,
              wasDueAt: wasDueAt?.getTime() ?? null,
            };
            const settled = (await settleDelivery.write(transaction, row)) === 1;
            if (settled) attempts.push(attempt);
            outcomes.push(settled ? 'settled' : 'lost');
          }
          await insertAttempts(transaction, attempts);
          return outcomes;
        }),
      nextDeliveryAt: () => nextDeliveryAt.first(handle, {}),
    };
  };
}

/** What the owner of an endpoint sees and does. */
function records(db: Handle): (session: Session) => Records {
  const insertDelivery = prepare((values: RowOf<typeof deliveryTable>) =>
    db
      .insertInto('deliveries')
      .values(pick(values, deliveryTable.columns))
      .onConflict((conflict) => conflict.columns(['event_id', 'endpoint_id']).doNothing()),
  );
  const failDeliveries = prepare((values: { endpointId: EndpointId; at: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', next_attempt_at: null, settled_at: values.at })
      .where('endpoint_id', '=', values.endpointId)
      .where('state', '=', PENDING),
  );
  const deliveries = db.selectFrom('deliveries').select(deliveryTable.selection());
  const newest = deliveries.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const tests = prepare(
    (values: { endpointId: EndpointId; since: number }) =>
      newest
        .where('endpoint_id', '=', values.endpointId)
        .where('event_id', 'is', null)
        .where('created_at', '>=', values.since),
    readDelivery,
  );
  const failTests = prepare((values: { createdBefore: number; excerpt: string; at: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', last_excerpt: values.excerpt, settled_at: values.at })
      .where('event_id', 'is', null)
      .where('state', '=', PENDING)
      .where('created_at', '<', values.createdBefore),
  );
  const findDelivery = prepare(
    (values: { projectId: ProjectId; id: DeliveryId }) =>
      deliveries.where('id', '=', values.id).where('project_id', '=', values.projectId),
    readDelivery,
  );
  const attemptsOf = prepare(
    (values: { id: DeliveryId }) =>
      db
        .selectFrom('delivery_attempts')
        .select(deliveryAttemptTable.selection())
        .where('delivery_id', '=', values.id)
        .orderBy('number'),
    deliveryAttemptTable.decoder(),
  );
  const listDeliveries = prepare(
    (values: { eventId: EventId }) => newest.where('event_id', '=', values.eventId),
    readDelivery,
  );

  return ({ handle, traits, atomically }) => ({
    failDeliveries: (endpointId, at) => failDeliveries.write(handle, { endpointId, at: at.getTime() }),
    insertDeliveries: (deliveries) =>
      atomically(async (transaction) => {
        const inserted: (typeof deliveries)[number][] = [];
        for (const delivery of deliveries)
          if ((await insertDelivery.write(transaction, deliveryTable.encode(delivery))) === 1)
            inserted.push(delivery);
        return inserted;
      }),
    async resendDeliveries(endpointId, eventIds, states, at) {
      if (eventIds.length === 0 || states.length === 0) return 0;
      const { numUpdatedRows } = await handle
        .updateTable('deliveries')
        .set({
          state: 'pending',
          attempts_before: sql`attempts`,
          next_attempt_at: at.getTime(),
          settled_at: null,
        })
        .where('endpoint_id', '=', endpointId)
        .where('event_id', 'in', eventIds)
        .where('state', 'in', states)
        // A delivery that waits for a held event stays.
        .where((row) => row.or([row('state', '<>', 'pending'), row('next_attempt_at', 'is not', null)]))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    listTestDeliveries: (endpointId, since) => tests.all(handle, { endpointId, since: since.getTime() }),
    failUnfinishedTests: (createdBefore, excerpt, at) =>
      failTests.write(handle, { createdBefore: createdBefore.getTime(), excerpt, at: at.getTime() }),
    findDelivery: (projectId, id) => findDelivery.first(handle, { projectId, id }),
    listProjectDeliveries(projectId, { endpointId, eventId, state }, page) {
      const isSqlite = traits.dialect === 'sqlite';
      // An expression for the deliveries of an event: SQLite would otherwise walk all of the project to avoid
      // a sort.
      const project = isSqlite && eventId !== null ? sql`project_id || ''` : sql.ref('project_id');
      let listed = deliveries.where(project, '=', projectId);
      if (endpointId !== null) listed = listed.where('endpoint_id', '=', endpointId);
      if (eventId !== null) listed = listed.where('event_id', '=', eventId);
      // A literal, because the index of undelivered ones is partial.
      if (state !== null) listed = listed.where('state', '=', sql.lit(state));
      // SQLite needs the condition of that index verbatim. With both, PostgreSQL would expect few rows and
      // sort all.
      if (isSqlite && (state === 'pending' || state === 'failed'))
        listed = listed.where('state', '<>', sql.lit('delivered' as const));
      return newestPage(handle, listed, { at: 'created_at', id: 'id' }, readDelivery, page);
    },
    listDeliveryAttempts: (id) => attemptsOf.all(handle, { id }),
    listDeliveries: (eventId) => listDeliveries.all(handle, { eventId }),
  });
}

import type {
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
import { isAfter, keysetPage } from '../query/keyset.js';
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
const readAttempt = deliveryAttemptTable.decoder();
const readEvent = eventTable.decoder();

/** The state `pending` as a literal: an engine uses a partial index only when the query text itself names the state. */
const PENDING = sql.lit('pending' as const);

/** Deliveries of events to endpoints, which sender serves an endpoint, and the attempts. */
export function deliveryStore(db: Handle): (session: Session) => Deliveries {
  const [sendingOf, recordsOf, hasteningOf] = [sending(db), records(db), hastening(db)];
  return (session) => ({
    ...sendingOf(session),
    ...recordsOf(session),
    hastenDeliveries: hasteningOf(session),
  });
}

/** What a sender does: it claims endpoints, reads what is due and writes results. */
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
  const insertAttempt = prepare((values: RowOf<typeof deliveryAttemptTable>) =>
    db.insertInto('delivery_attempts').values(pick(values, deliveryAttemptTable.columns)),
  );
  const nextDelivery = prepare(() =>
    db
      .selectFrom('deliveries')
      .select('next_attempt_at')
      .where('state', '=', PENDING)
      .where('next_attempt_at', 'is not', null)
      .orderBy('next_attempt_at')
      .limit(1),
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
          for (const { delivery, wasDueAt, attempt } of results) {
            const row = {
              ...deliveryTable.encode(delivery),
              previousAttempts: delivery.attempts - 1,
              wasDueAt: wasDueAt?.getTime() ?? null,
            };
            const settled = (await settleDelivery.write(transaction, row)) === 1;
            if (settled) await insertAttempt.write(transaction, deliveryAttemptTable.encode(attempt));
            outcomes.push(settled ? 'settled' : 'lost');
          }
          return outcomes;
        }),
      async nextDeliveryAt() {
        const row = await nextDelivery.first(handle, {});
        return row === null || row.next_attempt_at === null ? null : new Date(row.next_attempt_at);
      },
    };
  };
}

/** What the owner of an endpoint sees and does: lists, tests, sending again. */
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
  const tests = prepare((values: { endpointId: EndpointId; since: number }) =>
    db
      .selectFrom('deliveries')
      .select(deliveryTable.selection())
      .where('endpoint_id', '=', values.endpointId)
      .where('event_id', 'is', null)
      .where('created_at', '>=', values.since)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );
  const failTests = prepare((values: { createdBefore: number; excerpt: string; at: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', last_excerpt: values.excerpt, settled_at: values.at })
      .where('event_id', 'is', null)
      .where('state', '=', PENDING)
      .where('created_at', '<', values.createdBefore),
  );
  const findDelivery = prepare((values: { projectId: ProjectId; id: DeliveryId }) =>
    db
      .selectFrom('deliveries')
      .select(deliveryTable.selection())
      .where('id', '=', values.id)
      .where('project_id', '=', values.projectId),
  );
  const attemptsOf = prepare((values: { id: DeliveryId }) =>
    db
      .selectFrom('delivery_attempts')
      .select(deliveryAttemptTable.selection())
      .where('delivery_id', '=', values.id)
      .orderBy('number'),
  );
  const listDeliveries = prepare((values: { eventId: EventId }) =>
    db
      .selectFrom('deliveries')
      .select(deliveryTable.selection())
      .where('event_id', '=', values.eventId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );

  return ({ handle, traits, atomically }) => ({
    async failDeliveries(endpointId, at) {
      return failDeliveries.write(handle, { endpointId, at: at.getTime() });
    },
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
        // One that waits for a held event is left alone.
        .where((row) => row.or([row('state', '<>', 'pending'), row('next_attempt_at', 'is not', null)]))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    async listTestDeliveries(endpointId, since) {
      return (await tests.all(handle, { endpointId, since: since.getTime() })).map(readDelivery);
    },
    async failUnfinishedTests(createdBefore, excerpt, at) {
      const values = { createdBefore: createdBefore.getTime(), excerpt, at: at.getTime() };
      return failTests.write(handle, values);
    },
    async findDelivery(projectId, id) {
      const row = await findDelivery.first(handle, { projectId, id });
      return row === null ? null : readDelivery(row);
    },
    listProjectDeliveries(projectId, { endpointId, eventId, state }, page) {
      const isSqlite = traits.dialect === 'sqlite';
      // Of an event as an expression, because SQLite would otherwise go along all deliveries of the project to sort none.
      const project = isSqlite && eventId !== null ? sql`project_id || ''` : sql.ref('project_id');
      let listed = handle
        .selectFrom('deliveries')
        .select(deliveryTable.selection())
        .where(project, '=', projectId);
      if (endpointId !== null) listed = listed.where('endpoint_id', '=', endpointId);
      if (eventId !== null) listed = listed.where('event_id', '=', eventId);
      // As a literal, because the index of those that were not delivered is partial.
      if (state !== null) listed = listed.where('state', '=', sql.lit(state));
      // SQLite wants the condition of that index as it is. With both PostgreSQL would expect hardly any rows, and sort all there are.
      if (isSqlite && (state === 'pending' || state === 'failed'))
        listed = listed.where('state', '<>', sql.lit('delivered' as const));
      return keysetPage(
        page,
        async (id) => {
          const row = await listed.where('id', '=', id).executeTakeFirst();
          return row === undefined ? null : { id, at: readDelivery(row).createdAt };
        },
        async (after, limit) => {
          const rest = after === null ? listed : listed.where(isAfter('created_at', 'id', after));
          const ordered = rest.orderBy('created_at', 'desc').orderBy('id', 'desc');
          return (await ordered.limit(limit).execute()).map(readDelivery);
        },
      );
    },
    async listDeliveryAttempts(id) {
      return (await attemptsOf.all(handle, { id })).map(readAttempt);
    },
    async listDeliveries(eventId) {
      return (await listDeliveries.all(handle, { eventId })).map(readDelivery);
    },
  });
}

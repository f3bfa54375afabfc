import type { EndpointId, EventId, ProjectId, WebhookStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { RowOf } from '../tables/record-table.js';
import { distinct, indexBy, requireRow } from '../query/related-rows.js';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import { deliveryTable, endpointTable, eventTable } from '../tables/webhooks.js';

type Endpoints = Pick<
  WebhookStore,
  'insertEndpoint' | 'updateEndpoint' | 'listEndpoints' | 'findEndpoint' | 'listNewestEndpoints'
>;
type Deliveries = Omit<WebhookStore, keyof Endpoints>;

const readDelivery = deliveryTable.decoder();
const readEvent = eventTable.decoder();
const readEndpoint = endpointTable.decoder();

/** The state `pending` as a literal: an engine uses a partial index only when the query text itself names the state. */
const PENDING = sql.lit('pending' as const);

/** Endpoints, and the deliveries of events to them. */
export function webhookStore(db: Handle): (session: Session) => WebhookStore {
  const [endpointsOf, deliveriesOf] = [endpoints(db), deliveries(db)];
  return (session) => ({ ...endpointsOf(session), ...deliveriesOf(session) });
}

function endpoints(db: Handle): (session: Session) => Endpoints {
  const insertEndpoint = prepare((values: RowOf<typeof endpointTable>) =>
    db
      .insertInto('endpoints')
      .values(pick(values, endpointTable.columns))
      .onConflict((conflict) => conflict.columns(['project_id', 'url']).doNothing()),
  );
  const updateEndpoint = prepare((values: RowOf<typeof endpointTable> & { previousVersion: number }) =>
    db
      .updateTable('endpoints')
      .set(pick(values, columnsExcept(endpointTable.columns, ['id'])))
      .where('id', '=', values.id)
      .where('version', '=', values.previousVersion),
  );
  const selected = db.selectFrom('endpoints').select(endpointTable.selection());
  const listEndpoints = prepare((values: { projectId: ProjectId }) =>
    selected.where('project_id', '=', values.projectId).orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
  const findEndpoint = prepare((values: { projectId: ProjectId; id: EndpointId }) =>
    selected.where('id', '=', values.id).where('project_id', '=', values.projectId),
  );
  const listNewestEndpoints = prepare((values: { limit: number }) =>
    selected.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(values.limit),
  );

  return (session) => ({
    async insertEndpoint(endpoint) {
      const written = await insertEndpoint.write(session.handle, endpointTable.encode(endpoint));
      return written === 1 ? 'inserted' : 'taken';
    },
    updateEndpoint: (endpoint) =>
      lostOnConflict(session, async (handle) => {
        const row = { ...endpointTable.encode(endpoint), previousVersion: endpoint.version - 1 };
        if ((await updateEndpoint.write(handle, row)) !== 1) throw new WriteConflict();
        return 'updated' as const;
      }),
    async listEndpoints(projectId) {
      return (await listEndpoints.all(session.handle, { projectId })).map(readEndpoint);
    },
    async findEndpoint(projectId, id) {
      const row = await findEndpoint.first(session.handle, { projectId, id });
      return row === null ? null : readEndpoint(row);
    },
    async listNewestEndpoints(limit) {
      return (await listNewestEndpoints.all(session.handle, { limit })).map(readEndpoint);
    },
  });
}

function deliveries(db: Handle): (session: Session) => Deliveries {
  // Takes the few deliveries due soonest for each endpoint, so that one endpoint's backlog delays no other.
  const due = (values: { now: number; limit: number; perEndpoint: number }) =>
    db
      .selectFrom('endpoints')
      .innerJoin('deliveries', (join) =>
        join.on((on) =>
          on(
            'deliveries.id',
            'in',
            on
              .selectFrom('deliveries as soonest')
              .select('soonest.id')
              .whereRef('soonest.endpoint_id', '=', 'endpoints.id')
              .where('soonest.state', '=', PENDING)
              .where('soonest.next_attempt_at', '<=', values.now)
              .orderBy('soonest.next_attempt_at')
              .orderBy('soonest.id')
              .limit(values.perEndpoint),
          ),
        ),
      )
      .select(deliveryTable.selection())
      .orderBy('deliveries.next_attempt_at')
      .orderBy('deliveries.id')
      .limit(values.limit);
  const dueOnly = prepare(due);
  const dueAndLocked = prepare((values: Parameters<typeof due>[0]) =>
    due(values)
      // The locked row is checked again, because another sender may have claimed it after the subquery read it.
      .where('deliveries.state', '=', PENDING)
      .where('deliveries.next_attempt_at', '<=', values.now)
      .forUpdate('deliveries')
      .skipLocked(),
  );

  const settleDelivery = prepare((values: RowOf<typeof deliveryTable> & { previousAttempts: number }) =>
    db
      .updateTable('deliveries')
      .set(pick(values, columnsExcept(deliveryTable.columns, ['id'])))
      .where('id', '=', values.id)
      .where('attempts', '=', values.previousAttempts)
      .where('state', '=', PENDING),
  );
  const failDeliveries = prepare((values: { endpointId: EndpointId; at: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', next_attempt_at: null, settled_at: values.at })
      .where('endpoint_id', '=', values.endpointId)
      .where('state', '=', PENDING),
  );
  const listDeliveries = prepare((values: { eventId: EventId }) =>
    db
      .selectFrom('deliveries')
      .select(deliveryTable.selection())
      .where('event_id', '=', values.eventId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );
  const nextDelivery = prepare(() =>
    db
      .selectFrom('deliveries')
      .select('next_attempt_at')
      .where('state', '=', PENDING)
      // One that waits for a held event has none.
      .where('next_attempt_at', 'is not', null)
      .orderBy('next_attempt_at')
      .limit(1),
  );

  return ({ traits, handle, atomically }) => ({
    claimDeliveries: (now, limit, perEndpoint, leaseMs) =>
      atomically(async (transaction) => {
        const statement = traits.locksRows ? dueAndLocked : dueOnly;
        const rows = await statement.all(transaction, { now: now.getTime(), limit, perEndpoint });
        const nextAttemptAt = new Date(now.getTime() + leaseMs);
        const claimed = rows.map((row) => ({ ...readDelivery(row), nextAttemptAt }));
        if (claimed.length === 0) return [];

        await transaction
          .updateTable('deliveries')
          .set({ next_attempt_at: nextAttemptAt.getTime() })
          .where(
            'id',
            'in',
            claimed.map((delivery) => delivery.id),
          )
          .execute();
        const eventRows = await transaction
          .selectFrom('events')
          .select(eventTable.selection())
          .where('id', 'in', distinct(claimed.map((delivery) => delivery.eventId)))
          .execute();
        const endpointRows = await transaction
          .selectFrom('endpoints')
          .select(endpointTable.selection())
          .where('id', 'in', distinct(claimed.map((delivery) => delivery.endpointId)))
          .execute();
        const eventOf = indexBy('id', eventRows.map(readEvent));
        const endpointOf = indexBy('id', endpointRows.map(readEndpoint));
        return claimed.map((delivery) => ({
          delivery,
          event: requireRow(eventOf.get(delivery.eventId)),
          endpoint: requireRow(endpointOf.get(delivery.endpointId)),
        }));
      }),
    async settleDelivery(delivery) {
      const row = { ...deliveryTable.encode(delivery), previousAttempts: delivery.attempts - 1 };
      return (await settleDelivery.write(handle, row)) === 1 ? 'settled' : 'lost';
    },
    async failDeliveries(endpointId, at) {
      await failDeliveries.write(handle, { endpointId, at: at.getTime() });
    },
    async listDeliveries(eventId) {
      return (await listDeliveries.all(handle, { eventId })).map(readDelivery);
    },
    async nextDeliveryAt() {
      const row = await nextDelivery.first(handle, {});
      return row === null || row.next_attempt_at === null ? null : new Date(row.next_attempt_at);
    },
  });
}

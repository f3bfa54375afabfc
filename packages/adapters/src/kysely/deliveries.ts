import type { EndpointId, EventId, StoreOperations } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { RowOf } from './codec/record-table.js';
import { by, present, unique } from './rows.js';
import type { Handle, Session } from './session.js';
import { changing, pick, prepare } from './statement.js';
import { deliveryTable, endpointTable, eventTable } from './tables/webhooks.js';

type DeliveryOperations = Pick<
  StoreOperations,
  'claimDeliveries' | 'settleDelivery' | 'failDeliveries' | 'listDeliveries' | 'nextDeliveryAt'
>;

const read = deliveryTable.decoder();
const readEvent = eventTable.decoder();
const readEndpoint = endpointTable.decoder();

/** A literal, since an engine takes the partial indexes only where it sees the state in the query's text. */
const PENDING = sql.lit('pending' as const);

export function deliveryOperations(db: Handle): (session: Session) => DeliveryOperations {
  // The soonest few of each endpoint, so that one endpoint's backlog is neither walked nor in the others' way.
  const due = (given: { now: number; limit: number; perEndpoint: number }) =>
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
              .where('soonest.next_attempt_at', '<=', given.now)
              .orderBy('soonest.next_attempt_at')
              .orderBy('soonest.id')
              .limit(given.perEndpoint),
          ),
        ),
      )
      .select(deliveryTable.selection())
      .orderBy('deliveries.next_attempt_at')
      .orderBy('deliveries.id')
      .limit(given.limit);
  const dueOnly = prepare(due);
  const dueAndLocked = prepare((given: Parameters<typeof due>[0]) =>
    due(given)
      // Said again of the row that is locked: another sender may have moved it since the subquery looked.
      .where('deliveries.state', '=', PENDING)
      .where('deliveries.next_attempt_at', '<=', given.now)
      .forUpdate('deliveries')
      .skipLocked(),
  );

  const settle = prepare((given: RowOf<typeof deliveryTable> & { before: number }) =>
    db
      .updateTable('deliveries')
      .set(pick(given, changing(deliveryTable.columns, ['id'])))
      .where('id', '=', given.id)
      .where('attempts', '=', given.before)
      .where('state', '=', PENDING),
  );
  const fail = prepare((given: { endpointId: EndpointId; at: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', next_attempt_at: null, settled_at: given.at })
      .where('endpoint_id', '=', given.endpointId)
      .where('state', '=', PENDING),
  );
  const ofEvent = prepare((given: { eventId: EventId }) =>
    db
      .selectFrom('deliveries')
      .select(deliveryTable.selection())
      .where('event_id', '=', given.eventId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );
  const next = prepare(() =>
    db
      .selectFrom('deliveries')
      .select('next_attempt_at')
      .where('state', '=', PENDING)
      .orderBy('next_attempt_at')
      .limit(1),
  );

  return ({ traits, handle, atomically }) => ({
    claimDeliveries: (now, limit, perEndpoint, leaseMs) =>
      atomically(async (step) => {
        const statement = traits.locksRows ? dueAndLocked : dueOnly;
        const rows = await statement.all(step, { now: now.getTime(), limit, perEndpoint });
        const nextAttemptAt = new Date(now.getTime() + leaseMs);
        const claimed = rows.map((row) => ({ ...read(row), nextAttemptAt }));
        if (claimed.length === 0) return [];

        await step
          .updateTable('deliveries')
          .set({ next_attempt_at: nextAttemptAt.getTime() })
          .where(
            'id',
            'in',
            claimed.map((delivery) => delivery.id),
          )
          .execute();
        const events = await step
          .selectFrom('events')
          .select(eventTable.selection())
          .where('id', 'in', unique(claimed.map((delivery) => delivery.eventId)))
          .execute();
        const endpoints = await step
          .selectFrom('endpoints')
          .select(endpointTable.selection())
          .where('id', 'in', unique(claimed.map((delivery) => delivery.endpointId)))
          .execute();
        const eventOf = by('id', events.map(readEvent));
        const endpointOf = by('id', endpoints.map(readEndpoint));
        return claimed.map((delivery) => ({
          delivery,
          event: present(eventOf.get(delivery.eventId)),
          endpoint: present(endpointOf.get(delivery.endpointId)),
        }));
      }),
    async settleDelivery(delivery) {
      const row = { ...deliveryTable.encode(delivery), before: delivery.attempts - 1 };
      return (await settle.write(handle, row)) === 1 ? 'settled' : 'lost';
    },
    async failDeliveries(endpointId, at) {
      await fail.write(handle, { endpointId, at: at.getTime() });
    },
    async listDeliveries(eventId) {
      return (await ofEvent.all(handle, { eventId })).map(read);
    },
    async nextDeliveryAt() {
      const row = await next.first(handle, {});
      return row === null || row.next_attempt_at === null ? null : new Date(row.next_attempt_at);
    },
  });
}

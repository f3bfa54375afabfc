import type { ReportStore, SubscriptionId } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { deliveryTable } from '../tables/webhooks.js';
import { activity } from './activity.js';
import { dueLists } from './due-lists.js';
import { paymentSearch } from './payment-search.js';
import { subscriptionCount, subscriptionSearch } from './subscription-search.js';

type Reports = Omit<
  ReportStore,
  | 'nextDeliveryAt'
  | 'listProjectDeliveries'
  | 'listUnpricedAttempts'
  | 'priceAttempts'
  | 'findPayment'
  | 'insertRefund'
  | 'listRefunds'
  | 'saveSeller'
  | 'findSeller'
>;

export function reportStore(db: Handle): (session: Session) => Reports {
  const dueWakes = prepare((values: { now: number; limit: number }) =>
    db
      .selectFrom(
        db
          .selectFrom('subscription_dates')
          .select('next_try_at')
          .where('wake_at', '<=', values.now)
          .orderBy('wake_at')
          .limit(values.limit)
          .as('woken'),
      )
      .select(({ fn }) => [
        fn.countAll<number>().as('wakes'),
        sql<number>`coalesce(sum(case when next_try_at <= ${values.now} then 1 else 0 end), 0)`.as('charges'),
      ]),
  );
  const pendingDeliveries = prepare((values: { limit: number }) =>
    db
      .selectFrom(
        db
          .selectFrom('deliveries')
          .select('next_attempt_at')
          .where('state', '=', sql.lit('pending' as const))
          .limit(values.limit)
          .as('waiting'),
      )
      .select(({ fn }) => fn.countAll<number>().as('pending')),
  );
  const oldestHeldEvent = prepare(() =>
    db
      .selectFrom('events')
      // A sum, because SQLite would otherwise walk the dates of all events.
      .select(sql<number | null>`min(created_at + 0)`.as('oldest'))
      .where('held_state', 'is not', null),
  );
  const heldEvents = prepare((values: { subscriptionId: SubscriptionId }) =>
    db
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('held'))
      .where('subscription_id', '=', values.subscriptionId)
      .where('held_state', 'is not', null),
  );
  // Sorts the deliveries of one subscription, of which retention keeps 30 days.
  const newestDeliveries = prepare(
    (values: { subscriptionId: SubscriptionId; limit: number }) =>
      db
        .selectFrom('events')
        .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
        .select(deliveryTable.selection())
        .where('events.subscription_id', '=', values.subscriptionId)
        .orderBy('deliveries.created_at', 'desc')
        .orderBy('deliveries.id', 'desc')
        .limit(values.limit),
    deliveryTable.decoder(),
  );

  const [dueListsOf, activityOf] = [dueLists(db), activity(db)];

  return ({ handle }) => ({
    ...dueListsOf(handle),
    ...activityOf(handle),
    searchSubscriptions: (...search) => subscriptionSearch(handle, ...search),
    countSubscriptions: (...search) => subscriptionCount(handle, ...search),
    searchPayments: (...search) => paymentSearch(handle, ...search),
    async countBacklog(now, limit) {
      const [woken, waiting, oldest, held] = await Promise.all([
        dueWakes.first(handle, { now: now.getTime(), limit }),
        pendingDeliveries.first(handle, { limit }),
        oldestPendingDelivery(handle),
        oldestHeldEvent.first(handle, {}),
      ]);
      const dateOf = (time: number | null | undefined) => (typeof time === 'number' ? new Date(time) : null);
      return {
        wakes: woken?.wakes ?? 0,
        charges: woken?.charges ?? 0,
        deliveries: waiting?.pending ?? 0,
        oldestDeliveryAt: dateOf(oldest),
        oldestHeldEventAt: dateOf(held?.oldest),
      };
    },
    async countHeldEvents(subscriptionId) {
      return (await heldEvents.first(handle, { subscriptionId }))?.held ?? 0;
    },
    listSubscriptionDeliveries: (subscriptionId, limit) =>
      newestDeliveries.all(handle, { subscriptionId, limit }),
  });
}

/**
 * The date of the oldest pending delivery. It goes from one project with undelivered ones to the next by
 * their index.
 */
async function oldestPendingDelivery(handle: Handle): Promise<number | null> {
  const { rows } = await sql<{ oldest: number | null }>`
    with recursive waiting (project_id) as (
      select min(project_id) from deliveries where state <> 'delivered'
      union all
      select (select min(project_id) from deliveries where state <> 'delivered' and project_id > waiting.project_id)
        from waiting where waiting.project_id is not null
    )
    select min((
      select created_at from deliveries
      where project_id = waiting.project_id and state = 'pending' and state <> 'delivered'
      order by created_at limit 1
    )) as oldest
    from waiting where project_id is not null
  `.execute(handle);
  return rows[0]?.oldest ?? null;
}

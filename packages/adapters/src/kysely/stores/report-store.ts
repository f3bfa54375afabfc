import type { ReportStore, SubscriptionId } from '@subrail/core/ports';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { deliveryTable } from '../tables/webhooks.js';
import { activity } from './activity.js';
import { dueLists } from './due-lists.js';
import { subscriptionSearch } from './subscription-search.js';

const readDelivery = deliveryTable.decoder();

/** What an operator asks for: searches over a whole project, and reports. */
export function reportStore(db: Handle): (session: Session) => ReportStore {
  const heldEvents = prepare((values: { subscriptionId: SubscriptionId }) =>
    db
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('held'))
      .where('subscription_id', '=', values.subscriptionId)
      .where('held_state', 'is not', null),
  );
  // It sorts the deliveries of one subscription. Retention keeps those of its last 30 days.
  const newestDeliveries = prepare((values: { subscriptionId: SubscriptionId; limit: number }) =>
    db
      .selectFrom('events')
      .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
      .select(deliveryTable.selection())
      .where('events.subscription_id', '=', values.subscriptionId)
      .orderBy('deliveries.created_at', 'desc')
      .orderBy('deliveries.id', 'desc')
      .limit(values.limit),
  );

  const dueListsOf = dueLists(db);
  const activityOf = activity(db);

  return ({ handle }) => ({
    ...dueListsOf(handle),
    ...activityOf(handle),
    searchSubscriptions: (...search) => subscriptionSearch(handle, ...search),
    async countHeldEvents(subscriptionId) {
      return (await heldEvents.first(handle, { subscriptionId }))?.held ?? 0;
    },
    async listSubscriptionDeliveries(subscriptionId, limit) {
      return (await newestDeliveries.all(handle, { subscriptionId, limit })).map(readDelivery);
    },
  });
}

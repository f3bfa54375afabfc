/**
 * Finds what is older than its retention, and what still refers to it, so that a deletion reads no table from its begin.
 * A database checks each foreign key that names a deleted row, and the one of a comeback had no index.
 */
export const retention: readonly string[] = [
  `create index events_created on events (created_at, id)`,
  `create index deliveries_settled on deliveries (settled_at, id) where state <> 'pending'`,
  `create index subscriptions_expired on subscriptions (last_event_at, id) where status = 'expired'`,
  `create index subscriptions_previous on subscriptions (previous_id) where previous_id is not null`,
];

/**
 * Finds the deliveries of one endpoint that are pending or failed, without reading those of the other endpoints or those that were
 * delivered.
 */
export const deliveriesOfEndpoint: readonly string[] = [
  `create index deliveries_not_delivered_to_endpoint on deliveries (endpoint_id, state, created_at, id)
    where state <> 'delivered'`,
];

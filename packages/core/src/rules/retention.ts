/**
 * How long events, deliveries and expired checkouts are kept: 30 days (events#available-since,
 * events#event-retention, deliveries#delivery-retention, checkout#retention-of-expired-checkouts).
 */
export const RETENTION_MS = 30 * 24 * 3_600_000;

/**
 * The time from its end for which an unused visit of a link is kept
 * (checkout-sessions#retention-of-sessions).
 */
export const UNUSED_VISIT_MS = 24 * 3_600_000;

/** The rate limits of calls, and the other limits of what a caller may send. */
export const LIMITS = {
  /** The rate limit of a key on one route: calls a minute, by the class of the route. */
  callsPerMinute: { read: 1_000, write: 60 },
  /** The rate limit of a management key on one route: calls a minute. */
  managementCallsPerMinute: { read: 1_000, write: 300 },
  /** The rate limit of an address on one route of wallets, which take no key: calls a minute. */
  walletCallsPerMinute: { read: 60, write: 20 },
  /** The rate limit of a session, or of a customer of an app, on one route: calls a minute. */
  customerCallsPerMinute: { read: 60, write: 20 },
  /** The rate limit of an address over all routes of customers: calls a minute. */
  customerCallsPerMinuteOfAddress: { read: 300, write: 100 },
  /** How many plan links an address may open a minute. */
  linksPerMinute: 20,
  /** The rate limit of an address without a valid key: calls a minute over all paths. */
  anonymousCallsPerMinute: 120,
  /** The most bytes of a request's body: 100 kB. */
  bodyBytes: 100_000,
  /** The most callers that a rate limiter, and valid keys that a handler, remembers: memory is bounded. */
  callersRemembered: 100_000,
} as const;

/** What a caller may send, and how often. */
export const LIMITS = {
  /** Calls a minute that one key may make to one route, by the class of the route. */
  callsPerMinute: { read: 1_000, write: 60 },
  /** Calls a minute that one address may make without a valid key. */
  anonymousCallsPerMinute: 120,
  /** The most bytes of a request's body: 100 kB. */
  bodyBytes: 100_000,
  /** The callers that one limiter remembers at once, so that its memory is bounded. */
  callersRemembered: 100_000,
} as const;

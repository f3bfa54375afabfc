/** What a caller may send, and how often (contract, Limits). */
export const LIMITS = {
  /** Calls a minute of one key to one route, by the route's class. */
  callsPerMinute: { read: 1_000, write: 60 },
  /** Calls a minute of one address without a valid key. */
  strangerCallsPerMinute: 120,
  /** Bytes of a request's body: 100 kB. */
  bodyBytes: 100_000,
  /** Callers remembered at once by a limit, so that memory is bounded (requests#rate-limit-memory). */
  callersRemembered: 100_000,
} as const;

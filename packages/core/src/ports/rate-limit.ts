/**
 * Counts calls over all hosts of a service, so that a rate limit holds for them together. A host counts few calls of a minute by
 * itself, and then asks this port for many at once, so that a request seldom waits for it.
 */
export interface RateLimit {
  /**
   * Counts `calls` more calls of a caller in its window of one minute. Returns when that window started, and how many calls were
   * counted in it before these. Of racing calls, on whatever hosts, each returns what was counted before it. A window that ended,
   * or that starts more than a minute after `now` because a clock was set back, is replaced by one that starts at `startedAt`.
   *
   * @param window `startedAt` is when the host's own window of the caller started, at `now` or before it
   * @throws Unavailable when nothing can be counted now
   */
  take(
    caller: string,
    calls: number,
    window: { readonly startedAt: Date; readonly now: Date },
  ): Promise<{ readonly startedAt: Date; readonly before: number }>;
}

/**
 * Counts calls over all hosts of a service, so that a rate limit holds for them together. A host admits a few calls of a minute by
 * itself, and then tells this port of all of them at once, so that a request seldom waits for it.
 */
export interface RateLimit {
  /**
   * Counts `calls` more calls of a caller in its window of one minute. Returns when that window started, and how many calls were
   * counted in it before these. Of racing calls, on whatever hosts, each returns what was counted before it. A window that ended,
   * or that starts more than a minute after `now` because a clock was set back, is replaced by one that starts at `startedAt`. One
   * that started after `startedAt` and not after `now` starts at `startedAt` from then on, so that a window starts with its first call.
   *
   * @param window `startedAt` is when the first of these calls was made, at `now` or less than a minute before it
   * @throws Unavailable when nothing can be counted now. The host then limits the caller alone until its window ends
   */
  take(
    caller: string,
    calls: number,
    window: { readonly startedAt: Date; readonly now: Date },
  ): Promise<{ readonly startedAt: Date; readonly before: number }>;
}

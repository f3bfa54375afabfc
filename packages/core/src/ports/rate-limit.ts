/**
 * Counts calls over all hosts of a service, so that a rate limit holds for them together. A host admits a few calls of a minute by
 * itself, and then tells this port of all of them at once, so that a request seldom waits for it.
 */
export interface RateLimit {
  /**
   * Counts `calls` more calls of a caller in its window of one minute. Returns when that window started, and how many calls were
   * counted in it before these. Of racing calls, on whatever hosts, each returns what was counted before it.
   *
   * What happens to the window before the calls are added depends on when it started:
   * - there is none, or it ended, or it starts more than a minute after `now`, because a clock was set back: a new one starts at `startedAt`;
   * - it started after `startedAt` and not after `now`: its start moves back to `startedAt`, because a window starts with its first call;
   * - otherwise it stays as it is.
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

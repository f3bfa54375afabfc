/** The service's only source of time, so that a test or a simulation can move it. `now` never goes back. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms` milliseconds of this clock, or at once, without throwing, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

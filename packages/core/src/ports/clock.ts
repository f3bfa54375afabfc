/** The service's only source of time, so that a test or a simulation can move it. */
export interface Clock {
  /** The present time. It goes back only when it is found to have been wrong. */
  now(): Date;
  /**
   * Resolves after `ms` milliseconds, or at once, without throwing, when the signal aborts. A change of the
   * machine's clock neither shortens nor lengthens it.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Milliseconds since any fixed instant, which changes of the machine's clock leave alone. Without it the
   * worker measures by the difference of two times.
   */
  elapsed?(): number;
  /**
   * Tells the clock a time that another source showed just now: the chain adapter tells every chain time it
   * reads. Returns the milliseconds that this time is ahead of the machine's own clock. A clock without
   * `compare` is believed as it is.
   */
  compare?(time: Date): number;
  /**
   * Whether the clock needs a comparison. While it does, the worker and calls read the chain's time every
   * second.
   */
  needsComparison?(): boolean;
}

/** The service's only source of time, so that a test or a simulation can move it. */
export interface Clock {
  /** The present time. It goes back only when it is found to have been wrong. */
  now(): Date;
  /**
   * Resolves after `ms` milliseconds, or at once, without throwing, when the signal aborts. A change of the machine's clock
   * neither shortens nor lengthens it.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Milliseconds that passed since any fixed instant, which no change of the machine's clock changes. Without it the worker takes
   * the difference of two times for the time that passed.
   */
  elapsed?(): number;
  /**
   * Tells the clock a time that another source showed just now: the chain adapter tells every time of the chain that it reads.
   * Returns by how many milliseconds that time is ahead of this machine's own clock, as it is set. A clock without `compare`
   * is believed as it is.
   */
  compare?(time: Date): number;
  /** Whether the clock needs a time to compare itself with. While it does, the worker reads the chain's every second, and so do calls. */
  needsComparison?(): boolean;
}

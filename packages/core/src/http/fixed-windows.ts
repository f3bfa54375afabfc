import type { Clock } from '../ports/index.js';

const WINDOW_MS = 60_000;

/** Where a caller stands in its window after a call was counted. */
export interface Count {
  readonly limit: number;
  /** Calls left; 0 on the last one allowed and past it. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1: it runs. */
  readonly reset: number;
  readonly over: boolean;
}

interface Window {
  readonly caller: string;
  readonly startedAt: number;
  calls: number;
  /** The window opened next. */
  next: Window | null;
}

/**
 * Counts calls in fixed windows of one minute from the first call counted (requests#fixed-rate-limit-window). At most `capacity` callers are
 * remembered, the oldest window going first (requests#rate-limit-memory): a forgotten caller starts anew, and limits are a floor.
 */
export class FixedWindows {
  private readonly windows = new Map<string, Window>();
  /** Windows in the order they were opened. The map cannot tell it fast: it steps over every window it ever dropped. */
  private oldest: Window | null = null;
  private newest: Window | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly capacity: number,
  ) {}

  get size(): number {
    return this.windows.size;
  }

  count(caller: string, limit: number): Count {
    const now = this.clock.now().getTime();
    const known = this.windows.get(caller);
    const window = known !== undefined && runs(known, now) ? known : this.open(caller, now);
    window.calls += 1;
    return {
      limit,
      remaining: Math.max(0, limit - window.calls),
      reset: Math.ceil((window.startedAt + WINDOW_MS - now) / 1000),
      over: window.calls > limit,
    };
  }

  private open(caller: string, now: number): Window {
    while (this.oldest !== null && (!runs(this.oldest, now) || this.windows.size >= this.capacity)) {
      this.windows.delete(this.oldest.caller);
      this.oldest = this.oldest.next;
    }
    const window: Window = { caller, startedAt: now, calls: 0, next: null };
    if (this.oldest === null || this.newest === null) this.oldest = window;
    else this.newest.next = window;
    this.newest = window;
    this.windows.set(caller, window);
    return window;
  }
}

/** A window that starts after now was opened before the clock was set back: it is over. */
function runs(window: Window, now: number): boolean {
  return window.startedAt <= now && now < window.startedAt + WINDOW_MS;
}

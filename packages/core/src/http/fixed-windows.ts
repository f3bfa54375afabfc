import type { Clock } from '../ports/index.js';

const WINDOW_MS = 60_000;

/** Where a caller stands in its window after a call was counted. */
export interface Count {
  readonly limit: number;
  /** Calls left; 0 on the last one allowed and past it. */
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly reset: number;
  readonly over: boolean;
}

interface Window {
  readonly startedAt: number;
  calls: number;
}

/**
 * Counts calls in fixed windows of one minute from the first call counted (D5.1). At most `capacity` callers are
 * remembered, the oldest window going first (D5.3): a forgotten caller starts anew, and limits are a floor.
 */
export class FixedWindows {
  /** Oldest window first: a caller whose window ended is put back at the end. */
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly clock: Clock,
    private readonly capacity: number,
  ) {}

  get size(): number {
    return this.windows.size;
  }

  count(caller: string, limit: number): Count {
    const now = this.clock.now().getTime();
    const window = this.running(caller, now) ?? this.open(caller, now);
    window.calls += 1;
    return {
      limit,
      remaining: Math.max(0, limit - window.calls),
      reset: Math.ceil((window.startedAt + WINDOW_MS - now) / 1000),
      over: window.calls > limit,
    };
  }

  private running(caller: string, now: number): Window | null {
    const window = this.windows.get(caller);
    return window !== undefined && runs(window, now) ? window : null;
  }

  private open(caller: string, now: number): Window {
    this.windows.delete(caller);
    for (const [other, window] of this.windows) {
      if (runs(window, now) && this.windows.size < this.capacity) break;
      this.windows.delete(other);
    }
    const window = { startedAt: now, calls: 0 };
    this.windows.set(caller, window);
    return window;
  }
}

/** A window that starts after now was opened before the clock was set back: it is over. */
function runs(window: Window, now: number): boolean {
  return window.startedAt <= now && now < window.startedAt + WINDOW_MS;
}

import { LIMITS } from '../contract/limits.js';
import type { Clock } from '../ports/index.js';

const WINDOW_MS = 60_000;

/** The window of a caller after a call was counted. */
export interface Count {
  readonly limit: number;
  /** Calls left in the window; 0 from the last allowed call on. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly reset: number;
  readonly over: boolean;
}

/** A minute in which the calls of a caller are counted. */
interface Window {
  readonly caller: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  calls: number;
  /** The window that was opened next. */
  next: Window | null;
}

/**
 * A rate limiter: counts calls in fixed windows of one minute, each of which starts with its first call. Of
 * more than `capacity` callers, the one with the oldest window is forgotten: it may be allowed more calls
 * than the limit, never fewer.
 */
export class FixedWindows {
  private readonly windows = new Map<string, Window>();
  /** The windows in the order of their opening. Iterating the map is slow: it steps over deleted entries. */
  private oldest: Window | null = null;
  private newest: Window | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly capacity: number = LIMITS.callersRemembered,
  ) {}

  get size(): number {
    return this.windows.size;
  }

  count(caller: string, limit: number): Count {
    const now = this.clock.now().getTime();
    const known = this.windows.get(caller);
    const window = known !== undefined && isOpen(known, now) ? known : this.open(caller, now);
    window.calls += 1;
    return {
      limit,
      remaining: Math.max(0, limit - window.calls),
      reset: Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000)),
      over: window.calls > limit,
    };
  }

  /** Takes back one counted call of the caller, in the window that is open. */
  takeBack(caller: string): void {
    const known = this.windows.get(caller);
    if (known !== undefined && known.calls > 0) known.calls -= 1;
  }

  private open(caller: string, now: number): Window {
    while (this.oldest !== null && (!isOpen(this.oldest, now) || this.windows.size >= this.capacity)) {
      // The caller may have a newer window, because the clock was set back before this one.
      if (this.windows.get(this.oldest.caller) === this.oldest) this.windows.delete(this.oldest.caller);
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

/** Whether a window is open at an instant. A clock that was set back to before the window ends it. */
function isOpen(window: Window, now: number): boolean {
  return window.startedAt <= now && now < window.startedAt + WINDOW_MS;
}

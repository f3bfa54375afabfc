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
export interface Window {
  readonly caller: string;
  /** In milliseconds since 1970. */
  startedAt: number;
  calls: number;
}

interface ListedWindow extends Window {
  /** The window that was opened next. */
  next: ListedWindow | null;
}

/**
 * A rate limiter: counts calls in fixed windows of one minute, each of which starts with its first call. It remembers at most
 * `capacity` callers and forgets the oldest window first; a forgotten caller starts a new window, so that it may be allowed
 * more calls than the limit and never fewer.
 */
export class FixedWindows {
  private readonly windows = new Map<string, ListedWindow>();
  /** The windows in the order in which they were opened. Iterating the map instead is slow: it steps over deleted entries. */
  private oldest: ListedWindow | null = null;
  private newest: ListedWindow | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly capacity: number,
  ) {}

  get size(): number {
    return this.windows.size;
  }

  count(caller: string, limit: number): Count {
    const now = this.clock.now().getTime();
    const window = this.windowOf(caller, now);
    window.calls += 1;
    return countOf(window, { limit, now, over: window.calls > limit });
  }

  /** Takes back one counted call of the caller, in the window that is open. */
  takeBack(caller: string): void {
    const known = this.windows.get(caller);
    if (known !== undefined && known.calls > 0) known.calls -= 1;
  }

  /** The window of a caller that is open at `now`, which is opened when there is none. */
  windowOf(caller: string, now: number): Window {
    const known = this.windows.get(caller);
    return known !== undefined && isOpen(known, now) ? known : this.open(caller, now);
  }

  private open(caller: string, now: number): Window {
    while (this.oldest !== null && (!isOpen(this.oldest, now) || this.windows.size >= this.capacity)) {
      // The caller may have a newer window, because another host ended this one early.
      if (this.windows.get(this.oldest.caller) === this.oldest) this.windows.delete(this.oldest.caller);
      this.oldest = this.oldest.next;
    }
    const window: ListedWindow = { caller, startedAt: now, calls: 0, next: null };
    if (this.oldest === null || this.newest === null) this.oldest = window;
    else this.newest.next = window;
    this.newest = window;
    this.windows.set(caller, window);
    return window;
  }
}

/** What a caller is told of its window. `calls` may include those that other hosts counted. */
export function countOf(
  { startedAt, calls }: Pick<Window, 'startedAt' | 'calls'>,
  { limit, now, over }: { readonly limit: number; readonly now: number; readonly over: boolean },
): Count {
  const left = over ? 0 : Math.max(0, limit - calls);
  return {
    limit,
    remaining: left,
    reset: Math.max(1, Math.ceil((startedAt + WINDOW_MS - now) / 1000)),
    over,
  };
}

/** Whether a window is open at an instant. A clock that was set back shows an instant before the window, which ends it. */
function isOpen(window: Window, now: number): boolean {
  return window.startedAt <= now && now < window.startedAt + WINDOW_MS;
}

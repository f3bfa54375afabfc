import type { Clock, RateLimit } from '../ports/index.js';
import { countOf, FixedWindows, type Count, type Window } from './fixed-windows.js';

/** What this host may admit of a caller's calls in one window. */
interface Share {
  /** How many calls this host counted with the port. */
  counted: number;
  /** How many calls other hosts had counted when it was last asked. */
  others: number;
  /** Whether nothing is left for this host: the window is full. */
  isFull: boolean;
  /** The question to the port that is under way. */
  taking: Promise<void> | null;
}

/** The part of a limit that each host admits in a window before it asks the port: most callers send fewer. */
const UNASKED = 1 / 20;
/** The part of what is left of a limit that a host takes at once. */
const SLICE = 1 / 10;

/**
 * A rate limiter that counts over all hosts, when there is a port for that. In one window the hosts together admit at most the limit
 * and, for each of them, a twentieth of it. A host takes a tenth of what is left at a time, so a caller that several
 * hosts answer may be refused before its limit by what they took and did not use. Without a port it counts the calls of this host.
 */
export class SharedWindows {
  private readonly windows: FixedWindows;
  /** Forgotten with the windows. */
  private readonly shares = new WeakMap<Window, Share>();

  constructor(
    private readonly clock: Clock,
    capacity: number,
    private readonly port: RateLimit | null,
  ) {
    this.windows = new FixedWindows(clock, capacity);
  }

  async count(caller: string, limit: number): Promise<Count> {
    const { port, windows } = this;
    if (port === null) return windows.count(caller, limit);
    const window = windows.windowOf(caller, this.clock.now().getTime());
    const share = this.shareOf(window);
    const number = (window.calls += 1);
    const isAllowed = () => number <= Math.max(share.counted, Math.floor(limit * UNASKED));
    while (!isAllowed() && !share.isFull) {
      share.taking ??= this.take(port, window, share, limit).finally(() => (share.taking = null));
      await share.taking;
    }
    return countOf(
      { startedAt: window.startedAt, calls: number + share.others },
      { limit, now: this.clock.now().getTime(), over: !isAllowed() },
    );
  }

  private shareOf(window: Window): Share {
    const known = this.shares.get(window);
    if (known !== undefined) return known;
    const share: Share = { counted: 0, others: 0, isFull: false, taking: null };
    this.shares.set(window, share);
    return share;
  }

  /** Counts the calls that were admitted unasked, those that wait, and a slice for later ones. */
  private async take(port: RateLimit, window: Window, share: Share, limit: number): Promise<void> {
    const waiting = window.calls - share.counted;
    const left = Math.max(0, limit - share.others - window.calls);
    const wanted = waiting + Math.max(1, Math.ceil(left * SLICE));
    const now = this.clock.now();
    const { startedAt, before } = await port.take(window.caller, wanted, {
      startedAt: new Date(window.startedAt),
      now,
    });
    const taken = Math.min(wanted, Math.max(0, limit - before));
    share.others = Math.max(0, before - share.counted);
    share.counted += taken;
    share.isFull = taken < wanted;
    // The clock of another host may be ahead.
    window.startedAt = Math.min(startedAt.getTime(), now.getTime());
  }
}

import type { RateLimit } from '../ports/index.js';
import type { Service } from '../service.js';
import { countOf, FixedWindows, type Count, type Window } from './fixed-windows.js';

/** What this host knows of a caller's calls on all hosts in one window. Calls are numbered as this host counted them. */
interface Share {
  /** The number of the last call that the port was told of. */
  reported: number;
  /** When the first call after that was made, in milliseconds since 1970; null when there was none. */
  unreportedSince: number | null;
  /** The number of the last call that is admitted without asking the port. */
  admitted: number;
  /**
   * How many calls other hosts had made at the last report. It is negative when the database has begun a new window, in which this host's
   * earlier calls do not count.
   */
  others: number;
  /** Whether the port is asked nothing more in this window, because it has counted the limit, or because it failed. */
  isFinal: boolean;
  /** The question to the port that is under way. */
  asking: Promise<void> | null;
}

/** The part of a limit that each host admits before it asks the port again. */
const ADMITTED_UNASKED = 1 / 20;

/**
 * A rate limiter that counts over all hosts, when there is a port for that. A host admits a twentieth of the limit, and then tells the
 * port how many calls it counted and learns how many the other hosts did. A call is refused only once the limit was counted, so no caller is
 * refused before its limit, whichever hosts answer it; in one window the hosts together admit at most the limit and a twentieth
 * of it for each of them. Without a port it counts the calls of this host.
 */
export class SharedWindows {
  private readonly windows: FixedWindows;
  /** Forgotten with the windows. */
  private readonly shares = new WeakMap<Window, Share>();

  constructor(
    private readonly service: Pick<Service, 'clock' | 'rateLimit' | 'troubles'>,
    capacity: number,
  ) {
    this.windows = new FixedWindows(service.clock, capacity);
  }

  async count(caller: string, limit: number): Promise<Count> {
    const { windows } = this;
    const { clock, rateLimit } = this.service;
    if (rateLimit === null) return windows.count(caller, limit);
    const now = clock.now().getTime();
    const window = windows.windowOf(caller, now);
    const share = this.shareOf(window, limit);
    const number = (window.calls += 1);
    share.unreportedSince ??= now;
    while (number > share.admitted && !share.isFinal) {
      share.asking ??= this.ask(rateLimit, window, share, limit).finally(() => (share.asking = null));
      await share.asking;
    }
    return countOf(
      { startedAt: window.startedAt, calls: number + share.others },
      { limit, now: clock.now().getTime(), over: number > share.admitted },
    );
  }

  private shareOf(window: Window, limit: number): Share {
    const known = this.shares.get(window);
    if (known !== undefined) return known;
    const admitted = Math.floor(limit * ADMITTED_UNASKED);
    const share: Share = {
      reported: 0,
      unreportedSince: null,
      admitted,
      others: 0,
      isFinal: false,
      asking: null,
    };
    this.shares.set(window, share);
    return share;
  }

  /** Tells the port of the calls that it does not know of, and learns how many more are admitted. */
  private async ask(rateLimit: RateLimit, window: Window, share: Share, limit: number): Promise<void> {
    const { clock, troubles } = this.service;
    const { reported, unreportedSince } = share;
    const calls = window.calls - reported;
    const now = clock.now();
    const startedAt = new Date(unreportedSince ?? now);
    // Before the port answers, because the calls that come meanwhile are reported next time.
    share.reported += calls;
    share.unreportedSince = null;
    let taken: Awaited<ReturnType<RateLimit['take']>>;
    try {
      taken = await rateLimit.take(window.caller, calls, { startedAt, now });
    } catch (err) {
      troubles.seen({ kind: 'rate_limit_failing', err });
      share.isFinal = true;
      share.admitted = limit - share.others;
      return;
    }
    troubles.over('rate_limit_failing');
    const left = limit - taken.before - calls;
    share.others = taken.before - reported;
    share.isFinal = left <= 0;
    share.admitted = Math.max(
      share.admitted,
      reported + calls + Math.min(left, Math.floor(limit * ADMITTED_UNASKED)),
    );
    // The clock of another host may be ahead.
    window.startedAt = Math.min(taken.startedAt.getTime(), now.getTime());
  }
}

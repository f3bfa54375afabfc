import type {
  ChainResult,
  ChargeTarget,
  ChargeView,
  Clock,
  SignatureQuery,
  TransactionOutcome,
} from '../ports/index.js';

// The rule is cancel-resume-close#backoff-of-waiting-confirms.

/** Look-ups of waiting calls begin on whole half seconds, so that those of different calls fall together. */
const TICK_MS = 500;
/** The waits before a call's second, third and fourth look-up, and before each further one. */
const WAITS_MS = [500, 1_000, 2_000, 4_000] as const;

/** The last half second within a wait: a waiting call looks up once more then, and answers. */
export function lastLookupWithin(now: Date, waitMs: number): Date {
  return new Date(Math.floor((now.getTime() + waitMs) / TICK_MS) * TICK_MS);
}

/** No call waits for longer than this. */
const LONGEST_WAIT_MS = 2 * 60_000;

/** Whether the last look-up of a call is over: its time has come, or the clock was set far back. */
export function isLastLookupOver(last: Date, now: Date): boolean {
  const left = last.getTime() - now.getTime();
  return left <= 0 || left > LONGEST_WAIT_MS;
}

/** Which look-up a waiting call needs next. */
export interface NextLookup<Query> {
  /** Calls with the same key share look-ups: they must give equal queries and the same `use`. */
  readonly key: string;
  readonly query: Query;
  /** How many look-ups the call has had. */
  readonly count: number;
  /** When the call has its last look-up. */
  readonly last: Date;
}

/** A look-up that has not begun. */
interface Pending<Query, Result> {
  readonly query: Query;
  readonly use: (result: Result) => Promise<unknown>;
  /** When it begins, in milliseconds since the Unix epoch. */
  at: number;
  /** Ends the sleeps of the calls that wait for it. */
  readonly sleeps: AbortController[];
  /** Its result, once it has begun. */
  result: Promise<unknown> | null;
}

/**
 * Look-ups that waiting calls share, so that the load on the chain does not grow with their number. A call
 * never gets the result of a look-up that began before the wait. Look-ups without a waiting call are dropped.
 *
 * Every call sleeps by itself, and the first that wakes begins all look-ups that are due: no call depends on
 * the timers of another, which some platforms cancel with the request that set them.
 */
export class SharedLookups<Query, Result> {
  readonly #clock: Clock;
  readonly #lookUp: (queries: readonly Query[]) => Promise<readonly Result[]>;
  readonly #pending = new Map<string, Pending<Query, Result>>();
  /** The keys of the look-ups that run. */
  readonly #running = new Set<string>();

  /** @param lookUp looks up all queries in as few calls as possible, and returns their results in order */
  constructor(clock: Clock, lookUp: (queries: readonly Query[]) => Promise<readonly Result[]>) {
    this.#clock = clock;
    this.#lookUp = lookUp;
  }

  /**
   * Waits for the next look-up of a call: the first is at once, or on the next half second when others wait
   * for the same; the next after 0.5, 1, 2 and then every 4 seconds, or sooner with another call's.
   * @param use takes the result, once for all calls that share the look-up
   */
  async next<T>(lookup: NextLookup<Query>, use: (result: Result) => Promise<T>): Promise<T> {
    const { key, query } = lookup;
    const at = this.#timeOf(lookup);
    const pending: Pending<Query, Result> = this.#pending.get(key) ?? {
      query,
      use,
      at,
      sleeps: [],
      result: null,
    };
    this.#pending.set(key, pending);
    pending.at = Math.min(pending.at, at);
    const wait = at - this.#clock.now().getTime();
    if (wait > 0) {
      const stopSleeping = new AbortController();
      pending.sleeps.push(stopSleeping);
      await this.#clock.sleep(wait, stopSleeping.signal);
    }
    if (pending.result === null) this.#beginDue(at);
    return pending.result as unknown as Promise<T>;
  }

  #timeOf({ key, count, last }: NextLookup<Query>): number {
    const now = this.#clock.now().getTime();
    const wait = WAITS_MS[Math.min(count, WAITS_MS.length) - 1];
    if (wait !== undefined) return Math.min(Math.round((now + wait) / TICK_MS) * TICK_MS, last.getTime());
    const isShared = this.#pending.has(key) || this.#running.has(key);
    return isShared ? (Math.floor(now / TICK_MS) + 1) * TICK_MS : now;
  }

  /** Begins every look-up that is due, in one call. */
  #beginDue(at: number): void {
    const now = Math.max(at, this.#clock.now().getTime());
    const due = [...this.#pending].filter(([, pending]) => pending.at <= now);
    const results = this.#lookUp(due.map(([, { query }]) => query));
    for (const [index, [key, pending]] of due.entries()) {
      this.#pending.delete(key);
      this.#running.add(key);
      pending.result = this.#resultOf(pending, index, results).finally(() => this.#running.delete(key));
      // The calls that wait for it still sleep, and handle its failure only when they wake.
      pending.result.catch(() => undefined);
      for (const sleep of pending.sleeps) sleep.abort();
    }
  }

  async #resultOf(
    { query, use }: Pending<Query, Result>,
    index: number,
    results: Promise<readonly Result[]>,
  ): Promise<unknown> {
    // A query at which the look-up of all fails must not fail the others.
    const [result] = await results.then(
      (all) => all.slice(index),
      () => this.#lookUp([query]),
    );
    if (result === undefined) throw new Error('A look-up returned fewer results than it had queries.');
    return use(result);
  }
}

/** A transaction that a wallet sent, and the accounts that it changes. */
interface ActionQuery {
  readonly transaction: SignatureQuery;
  readonly target: ChargeTarget;
}

/** A wallet's transaction as the chain shows it. */
export interface ActionFinding {
  readonly outcome: TransactionOutcome;
  /** The accounts, read after the outcome: a landing that was seen shows in them. */
  readonly view: ChainResult<ChargeView>;
}

/** The look-ups that waiting calls share. */
export interface Lookups {
  /** Tells the clock the chain's time where it needs that, before a call goes by the clock. Never rejects. */
  readonly compareClock: () => Promise<void>;
  /** Of the transactions that were submitted. */
  readonly submits: SharedLookups<SignatureQuery, TransactionOutcome>;
  /** Of the transactions that wallets sent by themselves, to cancel, resume or close. */
  readonly confirms: SharedLookups<ActionQuery, ActionFinding>;
}

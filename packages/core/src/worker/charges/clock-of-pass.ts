import { elapsedOf } from '../../ports/elapsed-of.js';
import type { Clock } from '../../ports/index.js';
import { plus } from '../../rules/billing-periods.js';
import { isWithin } from '../../ports/is-within.js';
import type { Service } from '../../service.js';

/** By how much the clocks of the host and of the chain may differ before the host's is not used for dates. */
const LARGEST_DIFFERENCE_MS = 2 * 60_000;

/** For how long a time of the chain that was just asked for serves the next pass too. */
const READ_SERVES_MS = 1_000;

/**
 * The clock by which the passes of a worker date what they do: the host's, or one set to the chain's time
 * when the two differ by more than two minutes, so that a wrong host clock moves no try
 * (billing-periods#waiting-for-the-chain-clock). While the chain is silent, a step of the host's clock is not
 * followed.
 */
export class ClockOfPasses {
  readonly #service: Service;
  #known: Clock;
  #readAt: Date | null = null;
  #reads = 0;

  constructor(service: Service) {
    this.#service = service;
    this.#known = service.clock;
  }

  /** The clock as it was found last: while the chain does not answer, its time goes on from there. */
  get known(): Clock {
    return this.#known;
  }

  /** How often the chain was asked for its time, whether it answered or not. */
  get reads(): number {
    return this.#reads;
  }

  /** Whether the chain was last asked for its time within this time of the host's clock. */
  wasReadWithin(ms: number): boolean {
    return this.#readAt !== null && isWithin(this.#readAt, ms, this.#service.clock.now());
  }

  /** Asks the chain for its time when the service's clock needs it to compare itself with. */
  async readWhenNeeded(): Promise<void> {
    if (this.#service.clock.needsComparison?.() === true) await this.read();
  }

  /** Returns the clock to go by, and asks the chain for its time unless it just was and nothing needs it. */
  async read(): Promise<Clock> {
    const { chain, clock, logger } = this.#service;
    if (this.wasReadWithin(READ_SERVES_MS) && clock.needsComparison?.() !== true) return this.#known;
    const head = await chain.head();
    const now = clock.now();
    this.#readAt = now;
    this.#reads += 1;
    if (!head.ok) return this.#known;
    const behindMs = head.value.time.getTime() - now.getTime();
    if (Math.abs(behindMs) <= LARGEST_DIFFERENCE_MS) return (this.#known = this.#unlessItSteps(now));
    // The chain adapter warns of the wrong clock, once.
    logger.debug(
      { host_time: now.toISOString(), chain_time: plus(now, behindMs).toISOString() },
      'The clock of this machine and the time of the chain differ by more than two minutes. The passes follow the chain.',
    );
    const elapsed = elapsedOf(clock);
    return (this.#known = this.#showing(() => plus(now, behindMs + elapsedOf(clock) - elapsed)));
  }

  /** The host's clock, which is right now, for as long as it goes on by the time that passes. */
  #unlessItSteps(now: Date): Clock {
    const { clock } = this.#service;
    const elapsed = elapsedOf(clock);
    return this.#showing(() => {
      const shown = clock.now();
      const goneOn = plus(now, elapsedOf(clock) - elapsed);
      return Math.abs(shown.getTime() - goneOn.getTime()) <= LARGEST_DIFFERENCE_MS ? shown : goneOn;
    });
  }

  #showing(now: () => Date): Clock {
    return { now, sleep: (ms, signal) => this.#service.clock.sleep(ms, signal) };
  }
}

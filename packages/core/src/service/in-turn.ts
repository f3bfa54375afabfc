import type { Clock } from '../ports/index.js';
import { within } from './within.js';

/** The longest wait for a turn. */
const WAIT_MS = 10_000;

/**
 * Runs calls one after another. Not a semaphore, because some platforms cancel a call with its request, which
 * then never gives its place back: here such a call holds up one other, for ten seconds.
 */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly clock: Pick<Clock, 'sleep'>) {}

  /** Runs `work` after the calls before it. Its failure is passed on, and holds up nothing. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = within(this.clock, WAIT_MS, this.#last).then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

import type { Clock } from '../ports/clock.js';
import { expectThat } from './expect.js';
import type { TestFunction } from './test-function.js';

/** The parts that the author of a `Clock` provides for each test. */
export interface ClockUnderTest {
  readonly clock: Clock;
  /** Moves a clock for tests forward. A real clock has none: the tests then wait. */
  readonly pass?: (ms: number) => void;
}

/**
 * The conformance kit of the `Clock` port: registers one test for each promise. `open` returns a clock for
 * one test. With a real clock the kit takes some milliseconds.
 *
 * @example
 * clockConformance(test, () => ({ clock: new MyClock() }));
 */
export function clockConformance(test: TestFunction, open: () => ClockUnderTest): void {
  test('the clock never goes back', async () => {
    const { clock } = open();
    let last = clock.now();
    for (let i = 0; i < 1_000; i++) {
      const now = clock.now();
      expectThat(now >= last, `an instant that is not before ${last.toISOString()}`, now);
      last = now;
    }
  });

  test('each returned date is a new object, which the caller may change', async () => {
    const { clock } = open();
    const first = clock.now();
    first.setTime(0);
    const second = clock.now();
    expectThat(second.getTime() !== 0, 'the clock to ignore a change of a date that it returned', second);
  });

  test('a sleep ends once its time has passed, and not before', async () => {
    const { clock, pass } = open();
    const start = clock.now().getTime();
    const sleep = clock.sleep(5);
    pass?.(5);
    await sleep;
    const slept = clock.now().getTime() - start;
    // A platform's timer may fire up to one millisecond early.
    expectThat(slept >= 4, 'a sleep of 5 ms to take at least 4 ms', slept);
  });

  test('a sleep of zero or negative time ends at once', async () => {
    const { clock } = open();
    await clock.sleep(0);
    await clock.sleep(-1);
  });

  test('an abort ends a sleep at once, without throwing', async () => {
    const { clock } = open();
    const stop = new AbortController();
    const sleep = clock.sleep(3_600_000, stop.signal);
    stop.abort();
    await sleep;
  });

  test('a sleep with an aborted signal ends at once', async () => {
    const { clock } = open();
    await clock.sleep(3_600_000, AbortSignal.abort());
  });

  test('a sleep longer than a month does not end early', async () => {
    const { clock } = open();
    const stop = new AbortController();
    let over = false;
    const sleep = clock.sleep(60 * 24 * 3_600_000, stop.signal).then(() => {
      over = true;
    });
    await clock.sleep(0);
    const endedEarly = over;
    stop.abort();
    await sleep;
    expectThat(!endedEarly, 'a sleep of 60 days not to end right after it began');
  });
}

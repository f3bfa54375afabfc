import type { Clock } from '../ports/clock.js';
import { must, type TestFunction } from './conformance.js';

/** What every Clock promises. A real clock waits some milliseconds; `pass` helps a clock that has to be moved. */
export function clockConformance(
  test: TestFunction,
  open: () => { clock: Clock; pass?: (ms: number) => void },
): void {
  test('the clock does not go back', async () => {
    const { clock } = open();
    let last = clock.now();
    for (let i = 0; i < 1_000; i++) {
      const now = clock.now();
      must(now >= last, 'an instant is never before the one told earlier');
      last = now;
    }
  });

  test('each answer is a date of its own, which a caller may change', async () => {
    const { clock } = open();
    const first = clock.now();
    first.setTime(0);
    must(clock.now().getTime() !== 0, 'changing an answered date changes no later answer');
  });

  test('a sleep is over once its time has passed, and not before', async () => {
    const { clock, pass } = open();
    const start = clock.now().getTime();
    const sleep = clock.sleep(5);
    pass?.(5);
    await sleep;
    // A platform's timer may fire within the millisecond before.
    must(clock.now().getTime() - start >= 4, 'a sleep of 5 ms takes 5 ms');
  });

  test('a sleep of no time or less is over at once', async () => {
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

  test('a sleep whose signal was aborted before does not begin', async () => {
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
    must(!endedEarly, 'a sleep of 60 days is still running right after it began');
  });
}

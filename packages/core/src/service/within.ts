import type { Clock } from '../ports/index.js';

/** Waits for a promise, but no longer than `ms`. A late result is dropped. */
export async function within<Value>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  promise: Promise<Value>,
): Promise<Value | 'too_late'> {
  const stopSleeping = new AbortController();
  try {
    const tooLate = clock.sleep(ms, stopSleeping.signal).then(() => 'too_late' as const);
    return await Promise.race([promise, tooLate]);
  } finally {
    stopSleeping.abort();
  }
}

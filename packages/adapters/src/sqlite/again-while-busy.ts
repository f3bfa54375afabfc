import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../kysely/engines/error-codes.js';

/** The longest pause. Pauses double up to it. */
const MAX_PAUSE_MS = 20;

/**
 * Retries while another process holds a lock, until the timeout. A busy `run` must have changed nothing.
 * SQLite itself would block the event loop, and does not wait for every lock.
 *
 * @param wait waits for some milliseconds before the next try
 */
export async function againWhileBusy<Result>(
  run: () => Result,
  timeoutMs: number,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<Result> {
  const started = performance.now();
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return run();
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || performance.now() - started >= timeoutMs) throw error;
    }
    await wait(pause);
  }
}

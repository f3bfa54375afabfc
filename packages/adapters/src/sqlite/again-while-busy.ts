import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../kysely/engines/error-codes.js';

/** The longest pause before something busy runs again. Pauses double up to it. */
const MAX_PAUSE_MS = 20;

/**
 * Runs something again while another process holds the lock that it needs, until the timeout. What finds the lock taken must have
 * changed nothing. SQLite would wait by itself, but it blocks the event loop meanwhile, and does not wait for each lock.
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

import { CallError } from './errors.js';

/** How a failed call is repeated. */
export interface RetrySettings {
  readonly maxRetries: number;
  /** The longest `Retry-After`, in seconds, that is waited for. */
  readonly maxRetryAfter: number;
  /** Resolves after `ms` milliseconds, or at once, without throwing, when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/**
 * Tries until a try succeeds, and returns its answer. Throws the error of a try that is not retryable, asks
 * for a wait longer than `maxRetryAfter`, or was the last one. An abort ends a wait, and the next try throws.
 */
export async function withRetries<Answer>(
  { maxRetries, maxRetryAfter, sleep }: RetrySettings,
  signal: AbortSignal | undefined,
  tryOnce: () => Promise<Answer>,
): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await tryOnce();
    } catch (error) {
      if (!(error instanceof CallError) || !error.retryable || retries >= maxRetries) throw error;
      const retryAfter = error.retryAfter ?? 0;
      if (retryAfter > maxRetryAfter) throw error;
      await sleep(retryAfter * 1_000 + backoffMs(retries), signal);
    }
  }
}

/**
 * The wait before a retry, in addition to the `Retry-After` of the answer. It doubles with each retry, and
 * half of it is random, so that clients which failed together do not retry together.
 */
function backoffMs(retries: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** retries, LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2);
}

export function sleepByTimer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
}

/** How long work may take, and what else ends it. */
export interface TimeLimit {
  readonly ms: number;
  /** Makes the error of work that took too long. */
  readonly error: () => Error;
  /** Ends the work early when it aborts. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work that ends by itself, by the time limit, or when the caller's signal aborts, whichever comes first. The signal
 * that the work gets aborts in the last two cases. The work need not heed it, and what it then throws changes nothing: the
 * error of the time limit, or the reason of the caller's signal, comes first.
 */
export async function withTimeLimit<Result>(
  { ms, error, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const interrupted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => {
      // The caller's reason may be any value, and is passed on as it is.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(controller.signal.reason);
    });
  });
  // The caller's signal may live as long as its process, so this listener is removed: AbortSignal.any would stay on it.
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(() => controller.abort(error()), ms);
  try {
    return await Promise.race([work(controller.signal), interrupted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** How long work may take, and the signal by which its caller ends it early. */
export interface TimeLimit {
  readonly ms: number;
  /** Makes the error of work that took too long. */
  readonly error: () => Error;
  /** Ends the work early when it aborts. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work, and returns or throws what it returns or throws. When the time limit passes first, throws the error of the limit;
 * when the caller's signal aborts first, throws the signal's reason. In both cases the signal that the work got aborts, and
 * the work is not waited for.
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
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
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

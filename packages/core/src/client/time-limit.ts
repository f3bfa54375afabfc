/** How long work may take, and the signal by which its caller ends it early. */
export interface TimeLimit {
  readonly ms: number;
  /** Makes the error of work that took too long. */
  readonly error: () => Error;
  /** Ends the work early when it aborts. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns or throws what `work` does. Once the time limit passes, throws the error of the limit; once the
 * caller's signal aborts, its reason. Both abort the signal of `work`, which is not waited for.
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
  // Removed in the end: the caller's signal may outlive the call, and AbortSignal.any would stay on it.
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

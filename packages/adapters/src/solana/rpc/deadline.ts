import type { Clock } from '@subrail/core/ports';

/** Thrown when an endpoint did not respond before the deadline. */
class DeadlineExceeded extends Error {
  constructor() {
    super('The RPC endpoint did not respond before the deadline.');
    this.name = 'DeadlineExceeded';
  }
}

/** The reason for aborting an ended call: without one, each signal makes an error with a stack. */
const ENDED = 'The call has ended.';

/** Runs a request for at most `ms` of the clock, then aborts it and throws `DeadlineExceeded`. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const request = new AbortController();
  const timer = new AbortController();
  try {
    const expired = clock.sleep(ms, timer.signal).then(() => null);
    const answered = run(request.signal).then((value) => ({ value }));
    const first = await Promise.race([answered, expired]);
    if (first === null) throw new DeadlineExceeded();
    return first.value;
  } finally {
    timer.abort(ENDED);
    request.abort(ENDED);
  }
}

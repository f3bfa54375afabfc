import type { Clock } from '@subrail/core/ports';

/** Thrown when an endpoint did not respond before the deadline. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('The RPC endpoint did not respond before the deadline.');
    this.name = 'DeadlineExceeded';
  }
}

/** Runs a request for at most `ms` milliseconds of the clock, then aborts its signal and throws `DeadlineExceeded`. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const request = new AbortController();
  const timer = new AbortController();
  const expired = clock.sleep(ms, timer.signal).then(() => {
    throw new DeadlineExceeded();
  });
  try {
    return await Promise.race([run(request.signal), expired]);
  } finally {
    timer.abort();
    request.abort();
  }
}

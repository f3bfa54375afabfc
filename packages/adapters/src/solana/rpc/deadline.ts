import type { Clock } from '@subrail/core/ports';

/** Thrown when the time ran out. */
export class DeadlinePassed extends Error {
  constructor() {
    super('No answer in time.');
    this.name = 'DeadlinePassed';
  }
}

/** Runs a request that is given up, and told so by its signal, after `ms` milliseconds of the clock. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const request = new AbortController();
  const timer = new AbortController();
  const late = clock.sleep(ms, timer.signal).then(() => {
    throw new DeadlinePassed();
  });
  try {
    return await Promise.race([run(request.signal), late]);
  } finally {
    timer.abort();
    request.abort();
  }
}

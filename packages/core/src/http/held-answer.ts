import type { Clock } from '../ports/index.js';
import { isWithin } from '../ports/is-within.js';

/** Makes a function that asks, and gives its last answer again for `ms` milliseconds. */
export function heldAnswer<Answer>(clock: Clock, ms: number, ask: () => Answer): () => Answer {
  let held: { readonly answer: Answer; readonly since: Date } | null = null;
  return () => {
    const now = clock.now();
    if (held === null || !isWithin(held.since, ms, now)) held = { answer: ask(), since: now };
    return held.answer;
  };
}

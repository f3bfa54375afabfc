import type { Clock } from '../ports/index.js';
import { isWithin } from '../ports/is-within.js';

/** Makes a function that asks anew when its last answer is `ms` milliseconds old, and else gives that answer again. */
export function heldAnswer<Answer>(clock: Clock, ms: number, ask: () => Answer): () => Answer {
  let held: { readonly answer: Answer; readonly since: Date } | null = null;
  return () => {
    const now = clock.now();
    if (held === null || !isWithin(held.since, ms, now)) held = { answer: ask(), since: now };
    return held.answer;
  };
}

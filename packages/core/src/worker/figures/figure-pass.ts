import { isWithin } from '../../ports/is-within.js';
import type { Service } from '../../service.js';

/** How often additions are merged: a read adds up what was added since. */
const EVERY_MS = 10_000;

/** How many additions are merged together. */
const BATCH = 500;

/** The result of one pass over the figures that were added. */
export interface FigurePass {
  /** How many additions were merged into the figures of their plans and days. */
  readonly merged: number;
}

/**
 * Makes the pass that merges what commits added to the figures, so that a read takes no longer the more was
 * charged (figures#how-figures-are-made). It runs at the first call and then at most every ten seconds.
 */
export function createFigurePass({ store, clock, lacks }: Service): () => Promise<FigurePass> {
  let lastAt: Date | null = null;
  return async () => {
    const now = clock.now();
    if (lacks.has('FigureStore') || (lastAt !== null && isWithin(lastAt, EVERY_MS, now)))
      return { merged: 0 };
    let merged = 0;
    let batch: number;
    do {
      batch = await store.mergeFigures(BATCH);
      merged += batch;
    } while (batch === BATCH);
    lastAt = now;
    return { merged };
  };
}

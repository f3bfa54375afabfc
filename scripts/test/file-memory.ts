// Vitest runs this before each test file. It bounds the memory of the processes of the tests, and tells the
// report of the run how far each file let it grow, with what its imports load: the files of a project share
// processes, so what earlier files left there is not counted.

import { afterEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** By how many bytes the resident memory of the process grew at most while the file ran. */
    grownBytes?: number;
  }
}

/**
 * A local chain holds eight megabytes that V8 does not count, so V8 sees no reason to collect the chains that
 * tests left.
 */
const COLLECT_AFTER_BYTES = 200_000_000;

const before = process.memoryUsage.rss();
let collected = before;

afterEach(({ task }) => {
  const { meta } = task.file;
  const now = process.memoryUsage.rss();
  meta.grownBytes = Math.max(meta.grownBytes ?? 0, now - before);
  if (now - collected < COLLECT_AFTER_BYTES) return;
  globalThis.gc?.();
  collected = process.memoryUsage.rss();
});

// Vitest runs this before each test file. It tells the report of the run how far the file let the memory of its process grow,
// with what its imports load: the files of a project share processes, so the memory that earlier files left is not counted.

import { afterEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** By how many bytes the resident memory of the process grew at most while the file ran. */
    grownBytes?: number;
  }
}

const before = process.memoryUsage.rss();

afterEach(({ task }) => {
  const { meta } = task.file;
  meta.grownBytes = Math.max(meta.grownBytes ?? 0, process.memoryUsage.rss() - before);
});

// Vitest runs this before each test file.

import fc from 'fast-check';
import { afterEach } from 'vitest';

// With one seed the properties of a run check the same values as those of any other. Without a seed
// fast-check takes another one each time. It prints the seed of a property that fails.
const given = process.env['PROPERTY_SEED'] ?? '20261002';
if (!/^(random|-?\d{1,10})$/.test(given)) {
  throw new Error(`Expected PROPERTY_SEED to be a whole number, or random; found "${given}".`);
}
fc.configureGlobal(given === 'random' ? {} : { seed: Number(given) });

/** V8 does not count the eight megabytes of a local chain, so it does not collect those that tests left. */
const COLLECT_AFTER_BYTES = 200_000_000;

let collected = process.memoryUsage.rss();
afterEach(() => {
  if (process.memoryUsage.rss() - collected < COLLECT_AFTER_BYTES) return;
  globalThis.gc?.();
  collected = process.memoryUsage.rss();
});

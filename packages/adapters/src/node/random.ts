import { randomFillSync } from 'node:crypto';
import type { Random } from '@subrail/core/ports';

/** The number of bytes drawn at once, because one byte costs as much as thousands. */
const DRAWN = 4096;

/** Creates the Random port on the random generator of the operating system. */
export function createRandom(): Random {
  const drawn = new Uint8Array(DRAWN);
  let used = DRAWN;
  return {
    bytes(length) {
      if (length > DRAWN) return randomFillSync(new Uint8Array(length));
      if (used + length > DRAWN) {
        randomFillSync(drawn);
        used = 0;
      }
      const bytes = drawn.slice(used, used + length);
      // Some bytes become keys and secrets, so they are erased here.
      drawn.fill(0, used, used + length);
      used += length;
      return bytes;
    },
  };
}

import { randomFillSync } from 'node:crypto';
import type { Random } from '@subrail/core/ports';

/** Bytes drawn at once: asking the generator costs the same for one as for some thousands. */
const DRAWN = 4096;

/** The Random port on the operating system's own generator. */
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
      // Some become keys and secrets: nothing handed out stays here.
      drawn.fill(0, used, used + length);
      used += length;
      return bytes;
    },
  };
}

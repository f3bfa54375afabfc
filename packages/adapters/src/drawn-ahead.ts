import type { Random } from '@subrail/core/ports';

/** How many bytes are drawn at once, because a few bytes take as long to draw as thousands. */
const DRAWN = 4096;

/**
 * Makes the Random port of a generator that fills arrays.
 * @param fill fills an array of any length with random bytes
 */
export function drawnAhead(fill: (bytes: Uint8Array) => void): Random {
  const drawn = new Uint8Array(DRAWN);
  let used = DRAWN;
  return {
    bytes(length) {
      if (length > DRAWN) {
        const bytes = new Uint8Array(length);
        fill(bytes);
        return bytes;
      }
      if (used + length > DRAWN) {
        fill(drawn);
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

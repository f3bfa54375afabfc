import type { Random } from '@subrail/core/ports';

/** Bytes drawn at once: few take as long as thousands. */
const DRAWN = 4096;

/**
 * Makes the Random port of a generator that fills arrays.
 * @param fill fills an array of any length with random bytes
 */
export function drawnAhead(fill: (bytes: Uint8Array<ArrayBuffer>) => void): Random {
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
      // Erased, because some bytes become keys and secrets.
      drawn.fill(0, used, used + length);
      used += length;
      return bytes;
    },
  };
}

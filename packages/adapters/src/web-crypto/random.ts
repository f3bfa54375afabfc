import type { Random } from '@subrail/core/ports';

/** The most bytes that one call of `getRandomValues` returns. */
const LARGEST_DRAW = 65_536;

/**
 * Creates the Random port on the WebCrypto of the platform.
 *
 * @example
 * const random = createWebRandom();
 */
export function createWebRandom(): Random {
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      for (let start = 0; start < length; start += LARGEST_DRAW) {
        crypto.getRandomValues(bytes.subarray(start, start + LARGEST_DRAW));
      }
      return bytes;
    },
  };
}

import type { Random } from '@subrail/core/ports';
import { drawnAhead } from '../../drawn-ahead.js';

/** The most bytes that one call of `getRandomValues` fills. */
const LARGEST_DRAW = 65_536;

/**
 * Creates the Random port on the WebCrypto of the platform.
 *
 * @example
 * const random = createWebRandom();
 */
export function createWebRandom(): Random {
  return drawnAhead((bytes) => {
    for (let start = 0; start < bytes.length; start += LARGEST_DRAW) {
      crypto.getRandomValues(bytes.subarray(start, start + LARGEST_DRAW));
    }
  });
}

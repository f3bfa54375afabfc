import { randomFillSync } from 'node:crypto';
import type { Random } from '@subrail/core/ports';
import { drawnAhead } from '../drawn-ahead.js';

/** Creates the Random port on the generator of the operating system. */
export function createRandom(): Random {
  return drawnAhead(randomFillSync);
}

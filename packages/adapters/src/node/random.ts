import { randomBytes } from 'node:crypto';
import type { Random } from '@subrail/core';

/** The Random port on the operating system's own generator. */
export function createRandom(): Random {
  return { bytes: (length) => new Uint8Array(randomBytes(length)) };
}

import { type ReadonlyUint8Array, getI64Decoder } from '@solana/kit';
import { fromUnixSeconds } from './unix-time.js';

const CLOCK_TIME_OFFSET = 32;
const CLOCK_SIZE = 40;

/** Decodes the chain's time from the data of the Clock sysvar; null when it is too short. */
export function decodeClock(data: ReadonlyUint8Array): Date | null {
  if (data.length < CLOCK_SIZE) return null;
  return fromUnixSeconds(getI64Decoder().read(data, CLOCK_TIME_OFFSET)[0]);
}

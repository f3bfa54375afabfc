import { type ReadonlyUint8Array, getI64Decoder } from '@solana/kit';

/** The last instant a Date can hold, in Unix seconds. The end of a plan may be later. */
const LAST_SECOND = 8_640_000_000_000n;

/** Converts Unix seconds of the chain to an instant, limited to what a Date can hold. */
export function fromUnixSeconds(seconds: bigint): Date {
  const limited = seconds > LAST_SECOND ? LAST_SECOND : seconds < -LAST_SECOND ? -LAST_SECOND : seconds;
  return new Date(Number(limited) * 1000);
}

/** Converts Unix seconds to an instant, and 0 to null. */
export function fromUnixSecondsOrNull(seconds: bigint): Date | null {
  return seconds === 0n ? null : fromUnixSeconds(seconds);
}

export function toUnixSeconds(instant: Date): bigint {
  return BigInt(Math.floor(instant.getTime() / 1000));
}

const CLOCK_TIME_OFFSET = 32;
const CLOCK_SIZE = 40;

/** Decodes the chain's time from the data of the Clock sysvar; null when it is too short. */
export function decodeClock(data: ReadonlyUint8Array): Date | null {
  if (data.length < CLOCK_SIZE) return null;
  return fromUnixSeconds(getI64Decoder().read(data, CLOCK_TIME_OFFSET)[0]);
}

/** The last instant a Date can hold; a plan may end far beyond it. */
const LAST_SECOND = 8_640_000_000_000n;

/** An instant the chain wrote in Unix seconds. */
export function fromUnixSeconds(seconds: bigint): Date {
  const held = seconds > LAST_SECOND ? LAST_SECOND : seconds < -LAST_SECOND ? -LAST_SECOND : seconds;
  return new Date(Number(held) * 1000);
}

/** The same, where the chain writes 0 for none. */
export function fromUnixSecondsOrNull(seconds: bigint): Date | null {
  return seconds === 0n ? null : fromUnixSeconds(seconds);
}

/** An instant in Unix seconds, as the chain writes it. */
export function toUnixSeconds(instant: Date): bigint {
  return BigInt(Math.floor(instant.getTime() / 1000));
}

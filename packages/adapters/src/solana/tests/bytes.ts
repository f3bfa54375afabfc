/** Accounts and instruction data, built from the offsets of docs/program.md without the tested codecs. */

export function bytes(...parts: readonly ArrayLike<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

export const keyBytes = (byte: number) => new Uint8Array(32).fill(byte);

export function u64(value: bigint): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, value, true);
  return out;
}

export function i64(value: bigint): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigInt64(0, value, true);
  return out;
}

/** A subscription (program#subscription-layout) of wallet 0x01 to plan 0x14. */
export function subscriptionBytes({
  version = 1,
  amount = 10_000_000n,
  pulled = 0n,
  expiresAt = 0n,
  generation = 77n,
  periodStart = 1_767_300_000n,
}: {
  version?: number;
  amount?: bigint;
  pulled?: bigint;
  expiresAt?: bigint;
  generation?: bigint;
  periodStart?: bigint;
}): Uint8Array {
  return bytes(
    [4, version, 255],
    keyBytes(1),
    keyBytes(20),
    keyBytes(1),
    i64(generation),
    u64(amount),
    u64(720n),
    i64(1_767_225_600n),
    u64(pulled),
    i64(periodStart),
    i64(expiresAt),
  );
}

/**
 * A plan (program#plan-layout) with owner 0x02, number 1 and mint 0x06. Wallets are named by their byte; an
 * empty slot is 0.
 */
export function planBytes({
  status = 1,
  amount = 10_000_000n,
  endTs = 0n,
  destinations = [0, 0, 0, 0],
  pullers = [0, 0, 0, 0],
}: {
  status?: number;
  amount?: bigint;
  endTs?: bigint;
  destinations?: readonly number[];
  pullers?: readonly number[];
}): Uint8Array {
  return bytes(
    [1],
    keyBytes(2),
    [254, status],
    u64(1n),
    keyBytes(6),
    u64(amount),
    u64(720n),
    i64(1_767_225_600n),
    i64(endTs),
    ...destinations.map(keyBytes),
    ...pullers.map(keyBytes),
    new Uint8Array(128),
  );
}

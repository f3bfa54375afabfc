import { type Address, getAddressDecoder } from '@solana/kit';

// Readers of accounts and events, written from program#subscription-layout, program#plan-layout and
// program#subscription-authority-layout, independently of the code under test.

const keyAt = (data: Uint8Array, at: number): Address => getAddressDecoder().decode(data, at);
const view = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);
const u64At = (data: Uint8Array, at: number): bigint => view(data).getBigUint64(at, true);
const i64At = (data: Uint8Array, at: number): bigint => view(data).getBigInt64(at, true);
const keysAt = (data: Uint8Array, at: number): Address[] =>
  [0, 32, 64, 96].map((offset) => keyAt(data, at + offset)).filter((one) => one !== keyOfZeros);
const keyOfZeros = keyAt(new Uint8Array(32), 0);

export function readAuthority(data: Uint8Array) {
  return {
    size: data.length,
    discriminator: data[0],
    user: keyAt(data, 1),
    mint: keyAt(data, 33),
    payer: keyAt(data, 65),
    bump: data[97],
    initId: i64At(data, 98),
  };
}

export function readSubscription(data: Uint8Array) {
  return {
    size: data.length,
    discriminator: data[0],
    version: data[1],
    bump: data[2],
    delegator: keyAt(data, 3),
    delegatee: keyAt(data, 35),
    payer: keyAt(data, 67),
    initId: i64At(data, 99),
    amount: u64At(data, 107),
    periodHours: u64At(data, 115),
    createdAt: i64At(data, 123),
    pulled: u64At(data, 131),
    start: i64At(data, 139),
    expiresAt: i64At(data, 147),
  };
}

export function readPlan(data: Uint8Array) {
  return {
    size: data.length,
    discriminator: data[0],
    owner: keyAt(data, 1),
    bump: data[33],
    status: data[34],
    planId: u64At(data, 35),
    mint: keyAt(data, 43),
    amount: u64At(data, 75),
    periodHours: u64At(data, 83),
    createdAt: i64At(data, 91),
    endTs: i64At(data, 99),
    destinations: keysAt(data, 107),
    pullers: keysAt(data, 235),
    uri: new TextDecoder().decode(data.subarray(363, 491)).replace(/\0+$/, ''),
  };
}

export function readTokenAccount(data: Uint8Array) {
  return {
    mint: keyAt(data, 0),
    owner: keyAt(data, 32),
    amount: u64At(data, 64),
    delegate: view(data).getUint32(72, true) === 0 ? null : keyAt(data, 76),
    state: data[108],
    delegatedAmount: u64At(data, 121),
  };
}

/** The kind and the payload of an event, or null for any other inner instruction (program#events). */
export function readEvent(data: Uint8Array): { kind: number | undefined; payload: Uint8Array } | null {
  const tag = [228, 69, 165, 46, 81, 203, 154, 29];
  if (!tag.every((byte, index) => data[index] === byte)) return null;
  return { kind: data[8], payload: data.subarray(9) };
}

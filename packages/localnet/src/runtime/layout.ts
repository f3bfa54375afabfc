import { Buffer } from 'node:buffer';
import { type Address, address } from '@solana/kit';
import { addressBytes, toAddress } from './base58.js';

/** The key of 32 zero bytes, which means no key, and is the system program's address. */
export const ZERO_KEY = address('11111111111111111111111111111111');

/** A value of fixed size in packed little-endian bytes. */
export interface Field<T> {
  readonly size: number;
  read(bytes: Buffer, offset: number): T;
  write(bytes: Buffer, offset: number, value: T): void;
}

/** The value that a layout reads. */
export type ValueOf<Layout> = Layout extends Field<infer T> ? T : never;

/** Named fields one after another without padding: an account, or the payload of an instruction or event. */
export interface Struct<T> extends Field<T> {
  /** Reads from the start of `bytes`, which has at least `size` bytes. */
  decode(bytes: Uint8Array): T;
  encode(value: T): Uint8Array;
  /** A copy of `bytes` with some fields replaced. All other bytes stay, including those beyond `size`. */
  patch(bytes: Uint8Array, changes: Partial<T>): Uint8Array;
}

export const u8: Field<number> = {
  size: 1,
  read: (bytes, offset) => bytes.readUInt8(offset),
  write: (bytes, offset, value) => void bytes.writeUInt8(value, offset),
};

export const u32: Field<number> = {
  size: 4,
  read: (bytes, offset) => bytes.readUInt32LE(offset),
  write: (bytes, offset, value) => void bytes.writeUInt32LE(value, offset),
};

export const u64: Field<bigint> = {
  size: 8,
  read: (bytes, offset) => bytes.readBigUInt64LE(offset),
  write: (bytes, offset, value) => void bytes.writeBigUInt64LE(value, offset),
};

export const i64: Field<bigint> = {
  size: 8,
  read: (bytes, offset) => bytes.readBigInt64LE(offset),
  write: (bytes, offset, value) => void bytes.writeBigInt64LE(value, offset),
};

// An instruction reads the same few addresses many times, and base58 costs more than the rest of it.
const CACHE_LIMIT = 50_000;
const cache = new Map<string, Address>();

export const key: Field<Address> = {
  size: 32,
  read(bytes, offset) {
    const text = bytes.toString('latin1', offset, offset + 32);
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const address = toAddress(bytes.subarray(offset, offset + 32));
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(text, address);
    return address;
  },
  write: (bytes, offset, value) => bytes.set(addressBytes(value), offset),
};

/** `length` keys in a row; an unused place is the zero key. */
export function keys(length: number): Field<readonly Address[]> {
  return {
    size: length * key.size,
    read: (bytes, offset) => Array.from({ length }, (_, index) => key.read(bytes, offset + index * key.size)),
    write: (bytes, offset, value) =>
      value.forEach((each, index) => key.write(bytes, offset + index * key.size, each)),
  };
}

/** A value behind a tag of four bytes, which is 0 for null. */
export function option<T>(field: Field<T>): Field<T | null> {
  return {
    size: u32.size + field.size,
    read: (bytes, offset) => (u32.read(bytes, offset) === 0 ? null : field.read(bytes, offset + u32.size)),
    write(bytes, offset, value) {
      bytes.fill(0, offset, offset + this.size);
      if (value === null) return;
      u32.write(bytes, offset, 1);
      field.write(bytes, offset + u32.size, value);
    },
  };
}

export function raw(size: number): Field<Uint8Array> {
  return {
    size,
    read: (bytes, offset) => Uint8Array.prototype.slice.call(bytes, offset, offset + size),
    write: (bytes, offset, value) => bytes.set(value, offset),
  };
}

/** A struct of these fields, in the order of their bytes. */
export function struct<Fields extends Readonly<Record<string, Field<unknown>>>>(fields: Fields) {
  type T = { readonly [K in keyof Fields]: ValueOf<Fields[K]> };
  const places: { name: keyof T; field: Field<unknown>; at: number }[] = [];
  let size = 0;
  for (const [name, field] of Object.entries(fields)) {
    places.push({ name, field, at: size });
    size += field.size;
  }

  function read(bytes: Buffer, offset: number): T {
    const value: { [K in keyof T]?: unknown } = {};
    for (const { name, field, at } of places) value[name] = field.read(bytes, offset + at);
    return value as T;
  }

  function write(bytes: Buffer, offset: number, value: Partial<T>): void {
    for (const { name, field, at } of places)
      if (value[name] !== undefined) field.write(bytes, offset + at, value[name]);
  }

  const layout: Struct<T> = {
    size,
    read,
    write,
    decode: (bytes) => read(viewOf(bytes), 0),
    encode(value) {
      const bytes = new Uint8Array(size);
      write(viewOf(bytes), 0, value);
      return bytes;
    },
    patch(bytes, changes) {
      const copy = Uint8Array.from(bytes);
      write(viewOf(copy), 0, changes);
      return copy;
    },
  };
  return layout;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

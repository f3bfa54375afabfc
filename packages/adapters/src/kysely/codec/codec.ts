/**
 * Converts a value of a record to its stored form and exactly back. Methods, not function properties, so that
 * a codec of `string` is also a codec of `Stored`.
 */
export interface Codec<Value, Encoded> {
  encode(value: Value): Encoded;
  decode(encoded: Encoded): Value;
}

export type Stored = string | number | null;

export function text<Value extends string = string>(): Codec<Value, Value> {
  return { encode: (value) => value, decode: (encoded) => encoded };
}

export const integer: Codec<number, number> = { encode: (value) => value, decode: (encoded) => encoded };

/**
 * A u64, or a sum of several, as decimal digits: SQL integers are signed. Unpadded, because no query compares
 * them.
 */
export const bigInteger: Codec<bigint, string> = { encode: String, decode: BigInt };

/** A boolean as 1 or 0: not every engine has booleans. */
export const flag: Codec<boolean, number> = {
  encode: (value) => (value ? 1 : 0),
  decode: (encoded) => encoded === 1,
};

/** An instant as milliseconds since 1970: exact, sortable, the same in every engine. */
export const instant: Codec<Date, number> = {
  encode(value) {
    const ms = value.getTime();
    if (Number.isNaN(ms))
      throw new RangeError('An invalid date cannot be stored: give a Date that holds an instant.');
    return ms;
  },
  decode: (encoded) => new Date(encoded),
};

export function nullable<Value, Encoded>(codec: Codec<Value, Encoded>): Codec<Value | null, Encoded | null> {
  return {
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (encoded) => (encoded === null ? null : codec.decode(encoded)),
  };
}

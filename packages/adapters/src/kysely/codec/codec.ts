/**
 * How one value of a record stands in storage, both ways. `decode(encode(value))` is that value again, exactly.
 * Methods, not function properties: a codec of `string` is then also one of `Stored`.
 */
export interface Codec<Value, Encoded> {
  encode(value: Value): Encoded;
  decode(encoded: Encoded): Value;
}

/** What every SQL driver takes and gives alike. */
export type Stored = string | number | null;

/** A string, or one of a record's string types: an id, a status. */
export function text<Value extends string = string>(): Codec<Value, Value> {
  return { encode: (value) => value, decode: (encoded) => encoded };
}

/** A count or a version. */
export const integer: Codec<number, number> = { encode: (value) => value, decode: (encoded) => encoded };

/**
 * A u64 or a sum of such, as decimal digits: SQL integers are signed 64-bit, so neither a u64 nor a sum of payments fits.
 * Nothing compares or adds them in SQL, hence no padding.
 */
export const bigInteger: Codec<bigint, string> = { encode: String, decode: BigInt };

/** True and false as 1 and 0, since not every engine has booleans. */
export const flag: Codec<boolean, number> = {
  encode: (value) => (value ? 1 : 0),
  decode: (encoded) => encoded === 1,
};

/** An instant as milliseconds since 1970: exact, ordered and alike in every engine. */
export const instant: Codec<Date, number> = {
  encode(value) {
    const ms = value.getTime();
    if (Number.isNaN(ms)) throw new RangeError('An invalid date cannot be stored.');
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

import type { Codec } from './codec.js';

/** A nested value as JSON text. `inner` converts its instants and big integers. */
export function json<Value, Encoded>(inner: Codec<Value, Encoded>): Codec<Value, string> {
  return {
    encode: (value) => JSON.stringify(inner.encode(value)),
    decode: (encoded) => inner.decode(JSON.parse(encoded) as Encoded),
  };
}

/** A value that JSON can hold unchanged. */
export function plain<Value>(): Codec<Value, unknown> {
  return { encode: (value) => value, decode: (encoded) => encoded as Value };
}

type FieldCodecs<Value> = { readonly [Field in keyof Value]-?: Codec<Value[Field], unknown> };

export function object<Value extends object>(
  fields: FieldCodecs<Value>,
): Codec<Value, Record<string, unknown>> {
  const codecs = Object.entries<Codec<unknown, unknown>>(
    fields as { [field: string]: Codec<unknown, unknown> },
  );
  return {
    encode: (value) =>
      Object.fromEntries(codecs.map(([field, codec]) => [field, codec.encode(value[field as keyof Value])])),
    decode: (encoded) =>
      // The type of `fields` guarantees a codec for every field of `Value`.
      Object.fromEntries(codecs.map(([field, codec]) => [field, codec.decode(encoded[field])])) as Value,
  };
}

export function list<Value, Encoded>(
  item: Codec<Value, Encoded>,
): Codec<readonly Value[], readonly Encoded[]> {
  return {
    encode: (values) => values.map((value) => item.encode(value)),
    decode: (encoded) => encoded.map((value) => item.decode(value)),
  };
}

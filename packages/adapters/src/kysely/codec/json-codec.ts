import type { Codec } from './codec.js';

/** A nested value as JSON text, its inner instants and big integers written by the codecs they are given with. */
export function json<Value, Kept>(inner: Codec<Value, Kept>): Codec<Value, string> {
  return {
    encode: (value) => JSON.stringify(inner.encode(value)),
    decode: (kept) => inner.decode(JSON.parse(kept) as Kept),
  };
}

/** A value that JSON carries as it is. */
export function plain<Value>(): Codec<Value, unknown> {
  return { encode: (value) => value, decode: (kept) => kept as Value };
}

type FieldCodecs<Value> = { readonly [Field in keyof Value]-?: Codec<Value[Field], unknown> };

/** An object, field by field. */
export function object<Value extends object>(
  fields: FieldCodecs<Value>,
): Codec<Value, Record<string, unknown>> {
  const codecs = Object.entries<Codec<unknown, unknown>>(
    fields as { [field: string]: Codec<unknown, unknown> },
  );
  return {
    encode: (value) =>
      Object.fromEntries(codecs.map(([field, codec]) => [field, codec.encode(value[field as keyof Value])])),
    decode: (kept) =>
      // Every field of `Value` has a codec, by type.
      Object.fromEntries(codecs.map(([field, codec]) => [field, codec.decode(kept[field])])) as Value,
  };
}

export function list<Value, Kept>(item: Codec<Value, Kept>): Codec<readonly Value[], readonly Kept[]> {
  return {
    encode: (values) => values.map((value) => item.encode(value)),
    decode: (kept) => kept.map((value) => item.decode(value)),
  };
}

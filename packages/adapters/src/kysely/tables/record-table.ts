import { sql, type AliasedRawBuilder } from 'kysely';
import { blankObject } from './blank-object.js';
import type { Codec, Stored } from '../codec/codec.js';

/** A field name in snake_case: `paidPeriodStart` becomes `paid_period_start`. */
type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : Name;

type FieldCodecs<Record> = { readonly [Field in keyof Record]-?: Codec<Record[Field], Stored> };
type Derived<Record> = { readonly [column: string]: (record: Record) => Stored };

type Columns<Fields, Extra> = {
  [Field in keyof Fields & string as Snake<Field>]: Fields[Field] extends Codec<unknown, infer Encoded>
    ? Encoded
    : never;
} & {
  [Column in keyof Extra & string]: Extra[Column] extends (record: never) => infer Encoded ? Encoded : never;
};

/** A selected row. In a join, columns have the prefix of their table. */
export type SelectedRow = Readonly<{ [column: string]: Stored }>;

/** Reads records, or some of their fields, from rows. */
export interface RecordReading<Record> {
  /** The columns for a `decoder` with the same prefix. */
  readonly selection: (prefix?: string) => AliasedRawBuilder<Stored, string>[];
  readonly decoder: (prefix?: string) => (row: SelectedRow) => Record;
}

/** The mapping of a kind of record to its table: a column for each field, in snake_case. */
export interface RecordTable<Record, Row> extends RecordReading<Record> {
  readonly columns: readonly (keyof Row & string)[];
  readonly encode: (record: Record) => Row;
  readonly only: <Field extends keyof Record>(fields: readonly Field[]) => RecordReading<Pick<Record, Field>>;
}

export type RowOf<Table> = Table extends RecordTable<infer _, infer Row> ? Row : never;

/**
 * Describes a table: a codec for each field, and derived columns for queries and indexes. A new field does
 * not compile without a codec.
 */
export function recordTable<Record extends object>() {
  return <
    const Fields extends FieldCodecs<Record>,
    const Extra extends Derived<Record> = { readonly [column in never]: never },
  >(
    table: string,
    fields: Fields,
    derived?: Extra,
  ): RecordTable<Record, Columns<Fields, Extra>> => {
    type Row = Columns<Fields, Extra>;
    const codecs = (Object.entries(fields) as [keyof Record & string, Codec<unknown, Stored>][]).map(
      ([field, codec]) => ({ field, codec, column: snake(field) }),
    );
    const extra = Object.entries(derived ?? {});
    const names = [...codecs.map(({ column }) => column), ...extra.map(([column]) => column)];
    const blank = blankObject(names);

    return {
      columns: names,
      encode(record) {
        const row: { [column: string]: Stored } = { ...blank };
        for (const { field, codec, column } of codecs) row[column] = codec.encode(record[field]);
        for (const [column, derive] of extra) row[column] = derive(record);
        return row as Row;
      },
      only: (fields) =>
        reading(
          table,
          codecs.filter(({ field }) => (fields as readonly string[]).includes(field)),
        ),
      ...reading<Record>(table, codecs),
    };
  };
}

interface Column {
  readonly field: string;
  readonly codec: Codec<unknown, Stored>;
  readonly column: string;
}

function reading<Read>(table: string, columns: readonly Column[]): RecordReading<Read> {
  return {
    selection: (prefix = '') =>
      columns.map(({ column }) => sql.ref<Stored>(`${table}.${column}`).as(prefix + column)),
    decoder(prefix = '') {
      const prefixed = columns.map(({ field, codec, column }) => ({ field, codec, column: prefix + column }));
      const blank = blankObject(columns.map(({ field }) => field));
      return (row) => {
        const record: { [field: string]: unknown } = { ...blank };
        for (const { field, codec, column } of prefixed) record[field] = codec.decode(row[column] as Stored);
        return record as Read;
      };
    },
  };
}

function snake(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

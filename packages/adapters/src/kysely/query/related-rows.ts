/** Each value once. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** Records by one of their fields. */
export function indexBy<Field extends string, Row extends { readonly [Key in Field]: string }>(
  field: Field,
  rows: readonly Row[],
): ReadonlyMap<Row[Field], Row> {
  return new Map(rows.map((row) => [row[field], row]));
}

/** A row that a foreign key says is there. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined)
    throw new Error('A row that another one refers to is missing: the database is damaged.');
  return row;
}

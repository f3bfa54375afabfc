/** Removes duplicates, keeping the first of each. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** Records by the value of one of their fields. */
export function indexBy<Field extends string, Row extends { readonly [Key in Field]: string }>(
  field: Field,
  rows: readonly Row[],
): ReadonlyMap<Row[Field], Row> {
  return new Map(rows.map((row) => [row[field], row]));
}

/** A row that a foreign key guarantees. Throws when it is missing, because then the database is damaged. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined)
    throw new Error('The database is damaged: a row that a foreign key names is missing. Restore a backup.');
  return row;
}

/** Removes duplicates, keeping the first of each. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** Indexes records by the value of a field in which no two of them are equal. */
export function indexBy<Field extends string, Item extends { readonly [Key in Field]: string }>(
  field: Field,
  records: readonly Item[],
): ReadonlyMap<Item[Field], Item> {
  return new Map(records.map((record) => [record[field], record]));
}

/** A row that a foreign key guarantees. Throws when it is missing, because then the database is damaged. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined)
    throw new Error('The database is damaged: a row that a foreign key names is missing. Restore a backup.');
  return row;
}

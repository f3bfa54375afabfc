/**
 * Makes an object with these fields, all null. Begin from a copy of it, `{ ...blank }`, to build many objects of the same fields
 * whose names the code does not spell out. V8 keeps the fields of such a copy in fixed places; it turns an object that gets more
 * than some fifteen such fields one after another into a dictionary, which is slow to build and slow to read.
 */
export function blankObject<Field extends string>(fields: readonly Field[]): { readonly [F in Field]: null } {
  return Object.fromEntries(fields.map((field) => [field, null])) as { readonly [F in Field]: null };
}

/** Throws when an insert met a row it cannot stand beside: ids and key hashes are random, so this is a caller's bug. */
export function mustBeNew(kind: string, clash: string | null): void {
  if (clash !== null) throw new Error(`The ${kind} cannot be inserted: another one has its ${clash}.`);
}

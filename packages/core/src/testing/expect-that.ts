/** Fails a test unless the condition holds. The error says what was expected, and what was found if given. */
export function expectThat(
  condition: boolean,
  expected: string,
  ...found: readonly unknown[]
): asserts condition {
  if (condition) return;
  const ending = found.length === 0 ? '' : `; found ${found.map(inspect).join(', ')}`;
  throw new Error(`Expected ${expected}${ending}.`);
}

/** Writes a value as JSON, with bigints as `1n`. */
export function inspect(value: unknown): string {
  if (value === undefined) return 'undefined';
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
}

/** Whether two byte arrays have the same content. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

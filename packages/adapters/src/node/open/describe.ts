/** What a value is, without the value. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || value === '') return value === null ? 'null' : 'empty';
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import { expectThat, inspect } from './expect-that.js';

/**
 * Fails unless two values are deeply equal. A bigint equals only a bigint, a date only a date of the same
 * instant, and null no absent field.
 */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected, '');
  if (difference === null) return;
  const where =
    difference.path === ''
      ? ''
      : `, which differs at ${difference.path}: ${inspect(difference.expected)} was expected, ${inspect(difference.actual)} was found`;
  expectThat(false, `${what} to be ${inspect(expected)}${where}`, actual);
}

/** The path of the field where two values differ first, such as `late.automatic.nextAt`, or null. */
function firstDifference(
  actual: unknown,
  expected: unknown,
  path: string,
): { readonly path: string; readonly actual: unknown; readonly expected: unknown } | null {
  const different = { path, actual, expected };
  if (Object.is(actual, expected)) return null;
  if (!isObject(actual) || !isObject(expected)) return different;
  if (actual instanceof Date || expected instanceof Date) {
    const equal =
      actual instanceof Date && expected instanceof Date && actual.getTime() === expected.getTime();
    return equal ? null : different;
  }
  if (Array.isArray(actual) !== Array.isArray(expected)) return different;
  const [found, wanted] = [new Map(Object.entries(actual)), new Map(Object.entries(expected))];
  for (const key of new Set([...wanted.keys(), ...found.keys()])) {
    const field = path === '' ? key : `${path}.${key}`;
    if (found.has(key) !== wanted.has(key))
      return { path: field, actual: found.get(key), expected: wanted.get(key) };
    const difference = firstDifference(found.get(key), wanted.get(key), field);
    if (difference !== null) return difference;
  }
  return null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Makes each call, one after the other, and fails unless it returns what is expected. */
export async function expectEach(
  ...rows: readonly (readonly [call: () => unknown, expected: unknown, what: string])[]
): Promise<void> {
  for (const [call, expected, what] of rows) expectEqual(await call(), expected, what);
}

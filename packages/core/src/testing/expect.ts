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

/** Fails unless the promise rejects. */
export async function expectRejection(work: Promise<unknown>, what: string): Promise<void> {
  const outcome = await work.then(
    () => 'resolved',
    () => 'rejected',
  );
  expectEqual(outcome, 'rejected', what);
}

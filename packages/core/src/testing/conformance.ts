/** Registers one test with the runner in use; `test` and `it` of every common runner fit. */
export type TestFunction = (name: string, body: () => Promise<void>) => unknown;

/** Fails a conformance test with the promise that was broken. */
export function must(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`Broken: ${promise}`);
}

/** Whether two runs of bytes are the same. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

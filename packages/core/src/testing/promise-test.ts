import { inspect } from './expect.js';
import type { TestFunction } from './test-function.js';

/**
 * Registers the test of one promise of a port: opens the adapter, checks the promise, and closes the adapter.
 * Every error begins with the promise, because a failure deep in a kit does not say what the adapter has to
 * keep.
 */
export function promiseTest<UnderTest extends { close(): Promise<void> }>(
  test: TestFunction,
  port: string,
  promise: string,
  open: () => Promise<UnderTest>,
  check: (underTest: UnderTest) => Promise<void>,
): void {
  test(promise, async () => {
    const underTest = await open();
    try {
      await check(underTest);
    } catch (cause) {
      // An error of close must not hide the one that the check ended with.
      await underTest.close().catch(() => undefined);
      const detail =
        cause instanceof Error ? cause.message : `Something that is no Error was thrown: ${inspect(cause)}.`;
      throw new Error(`${port} does not keep its promise: ${promise}. ${detail}`, { cause });
    }
    await underTest.close();
  });
}

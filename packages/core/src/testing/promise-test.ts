import { inspect } from './expect-that.js';

/**
 * Runs the check of one promise of a port. Every error it ends with, also one that the adapter threw, becomes an error
 * that begins with the promise, because a failure deep in a kit otherwise does not say what the adapter has to keep.
 */
export async function checkPromise(
  port: string,
  promise: string,
  check: () => Promise<void>,
  close: () => Promise<void>,
): Promise<void> {
  try {
    await check();
  } catch (cause) {
    // An error of close must not hide the one that the check ended with.
    await close().catch(() => undefined);
    const detail =
      cause instanceof Error ? cause.message : `Something that is no Error was thrown: ${inspect(cause)}.`;
    throw new Error(`${port} does not keep its promise: ${promise}. ${detail}`, { cause });
  }
  await close();
}

import type { Random } from '../ports/random.js';
import { expectThat } from './expect.js';
import type { TestFunction } from './test-function.js';

/**
 * The conformance kit of the `Random` port: registers one test for each promise that a test can check. No
 * test shows that the bytes are unpredictable, so use the platform's cryptographic generator. `open` returns
 * a generator for one test.
 *
 * @example
 * randomConformance(test, () => ({ bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) }));
 */
export function randomConformance(test: TestFunction, open: () => Random): void {
  test('returns as many bytes as requested', async () => {
    const random = open();
    for (const length of [0, 1, 24, 32, 4_096]) {
      const count = random.bytes(length).length;
      expectThat(count === length, `${length} bytes`, count);
    }
  });

  test('never returns the same 16 bytes twice', async () => {
    const random = open();
    const seen = new Set(Array.from({ length: 10_000 }, () => random.bytes(16).join()));
    expectThat(seen.size === 10_000, '10,000 draws of 16 bytes to differ', seen.size);
  });

  test('returns every byte value about equally often', async () => {
    const counts = new Map<number, number>();
    for (const byte of open().bytes(256 * 256)) counts.set(byte, (counts.get(byte) ?? 0) + 1);
    expectThat(counts.size === 256, 'all 256 byte values among 65,536 bytes', counts.size);
    // The expected count is 256, with a standard deviation of 16: eight deviations do not occur by chance.
    const unlikely = [...counts].filter(([, count]) => count <= 128 || count >= 384);
    expectThat(unlikely.length === 0, 'every byte value between 129 and 383 times', unlikely);
  });

  test('does not reuse the arrays that it returned', async () => {
    const random = open();
    const first = random.bytes(32);
    const before = first.join();
    random.bytes(32).fill(0);
    expectThat(first.join() === before, 'bytes returned earlier to stay unchanged', first.join());
  });
}

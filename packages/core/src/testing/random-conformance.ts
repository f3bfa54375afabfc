import type { Random } from '../ports/random.js';
import { must, type TestFunction } from './conformance.js';

/** What every Random promises. Whether its bytes can be guessed no test can tell. */
export function randomConformance(test: TestFunction, open: () => Random): void {
  test('as many bytes come as were asked for', async () => {
    const random = open();
    for (const length of [0, 1, 24, 32, 4_096]) {
      must(random.bytes(length).length === length, `${length} bytes asked for, ${length} given`);
    }
  });

  test('16 bytes never come twice', async () => {
    const random = open();
    const seen = new Set(Array.from({ length: 10_000 }, () => random.bytes(16).join()));
    must(seen.size === 10_000, 'ten thousand draws differ');
  });

  test('every byte comes, each about as often', async () => {
    const counts = new Map<number, number>();
    for (const byte of open().bytes(256 * 256)) counts.set(byte, (counts.get(byte) ?? 0) + 1);
    must(counts.size === 256, 'all 256 bytes come');
    // 256 expected of each with a deviation of 16: eight deviations are no accident.
    must(
      [...counts.values()].every((count) => count > 128 && count < 384),
      'no byte comes far more or less often than the others',
    );
  });

  test('bytes given are the caller’s: changing them changes nothing later', async () => {
    const random = open();
    const first = random.bytes(32);
    const kept = first.join();
    random.bytes(32).fill(0);
    must(first.join() === kept, 'bytes given earlier stay as they were');
  });
}

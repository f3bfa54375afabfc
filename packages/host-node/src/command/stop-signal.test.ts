import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopSignal } from './stop-signal.js';

const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const others = SIGNALS.flatMap((signal) => process.listeners(signal));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const signal of SIGNALS) {
    for (const mine of process.listeners(signal).filter((listener) => !others.includes(listener))) {
      process.off(signal, mine);
    }
  }
  vi.useRealTimers();
  exit.mockClear();
});
afterAll(() => exit.mockRestore());

test('stops at the first signal and exits at once at the second', async () => {
  const stopped = stopSignal();
  process.emit('SIGTERM', 'SIGTERM');
  expect(await stopped).toBe('SIGTERM');
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_001);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});

test('counts one press of Ctrl-C that arrives twice as one signal', async () => {
  const stopped = stopSignal();
  process.emit('SIGINT', 'SIGINT');
  vi.advanceTimersByTime(100);
  process.emit('SIGINT', 'SIGINT');
  expect(await stopped).toBe('SIGINT');
  expect(exit).not.toHaveBeenCalled();
});

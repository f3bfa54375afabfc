import { expect, it } from 'vitest';

import { isWithin } from './is-within.js';

const NOON = new Date('2026-01-01T12:00:00.000Z');

// clocks#step-of-the-machines-clock
it.each([
  ['at its beginning', 0, true],
  ['a millisecond before its end', 999, true],
  ['at its end', 1_000, false],
  ['a day after it', 86_400_000, false],
  ['when the clock was set back to before it', -1, false],
])('a second is going on: %s', (_, passedMs, expected) => {
  expect(isWithin(NOON, 1_000, new Date(NOON.getTime() + passedMs))).toBe(expected);
});

import { expect, it } from 'vitest';

import { durationMs, type Duration } from './duration.js';

it.each<[Duration, number]>([
  [0, 0],
  [1_500, 1_500],
  ['45s', 45_000],
  ['15m', 900_000],
  ['1.5h', 5_400_000],
  ['30d', 2_592_000_000],
  ['2w', 1_209_600_000],
  [{ days: 1, hours: 2, minutes: 3, seconds: 4 }, 93_784_000],
  [{ weeks: 1 }, 604_800_000],
])('%j is %d ms', (duration, ms) => {
  expect(durationMs(duration)).toBe(ms);
});

it.each(['30', 'd', '-1d', '30 days', '1y', '', -1, NaN, Infinity, { days: -1 }])(
  'refuses %j and says what is expected',
  (duration) => {
    expect(() => durationMs(duration as Duration)).toThrow(/^Expected a duration such as '30d'/);
  },
);

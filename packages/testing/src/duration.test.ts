import { expect, it } from 'vitest';

import { endOf, notBefore, type Duration } from './duration.js';

const FROM = new Date('2026-01-31T12:00:00.000Z');

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
])('%j ends %d ms later', (duration, ms) => {
  expect(endOf(duration, FROM) - FROM.getTime()).toBe(ms);
});

it.each<[string, Duration, string]>([
  ['2026-03-15T08:00:00.000Z', '1mo', '2026-04-15T08:00:00.000Z'],
  ['2026-01-31T12:00:00.000Z', '1mo', '2026-02-28T12:00:00.000Z'],
  ['2028-01-31T12:00:00.000Z', '1mo', '2028-02-29T12:00:00.000Z'],
  ['2026-01-31T12:00:00.000Z', '2mo', '2026-03-31T12:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2mo', '2027-02-28T23:59:59.999Z'],
  ['2026-02-28T00:00:00.000Z', '12mo', '2027-02-28T00:00:00.000Z'],
  ['2026-01-31T12:00:00.000Z', { months: 1, days: 1 }, '2026-03-01T12:00:00.000Z'],
])('from %s, %j ends at %s, by the calendar', (from, duration, end) => {
  expect(new Date(endOf(duration, new Date(from))).toISOString()).toBe(end);
});

it.each([
  ...['30', 'd', '-1d', '30 days', '1y', '', -1, NaN, Infinity, { days: -1 }],
  ...['1.5mo', '-1mo', { months: 0.5 }, { months: -1 }],
])('refuses %j and says what is expected', (duration) => {
  expect(() => endOf(duration as Duration, FROM)).toThrow(/^Expected a duration such as '30d'/);
});

it('takes a date from now on, and says which time it is for any other', () => {
  expect(notBefore(FROM, FROM)).toBe(FROM.getTime());
  expect(() => notBefore(FROM, new Date(0))).toThrow(
    new RangeError(
      'Time moves forward only: it is 2026-01-31T12:00:00.000Z; found 1970-01-01T00:00:00.000Z.',
    ),
  );
  expect(() => notBefore(FROM, new Date('soon'))).toThrow(/found an invalid date\.$/);
});

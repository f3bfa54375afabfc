import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWireDate } from './scalars.js';
import { DAY } from '../testing/units-of-time.js';

describe('an instant in an answer', () => {
  it('is written as ISO 8601 with three decimals, whatever was written before', () => {
    const instant = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1 }), (instants) => {
        for (const date of [...instants, ...instants]) expect(toWireDate(date)).toBe(date.toISOString());
      }),
    );
  });

  it('differs for instants that differ by milliseconds, by days, or by the age of the century', () => {
    const start = new Date('2026-11-22T08:30:00.000Z');
    const others = [1, 999, 509_000, DAY, 30 * DAY, 509 * DAY, -60 * 365 * DAY].map(
      (ms) => new Date(start.getTime() + ms),
    );
    for (const date of [start, ...others, start]) expect(toWireDate(date)).toBe(date.toISOString());
  });

  it('is null where there is none', () => {
    expect(toWireDate(null)).toBeNull();
  });
});

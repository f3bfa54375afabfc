import { expect, it } from 'vitest';

import { Losses } from './losses.js';

const START = Date.parse('2026-10-02T08:00:00.000Z');
const MINUTE = 60_000;
const at = (ms: number) => new Date(START + ms);

function recorded(losses: Losses, count: number, state: 'landed' | 'lost', ms: number): void {
  for (let times = 0; times < count; times += 1) losses.record(state, at(ms));
}

// attempts#repeated-losses
it('finds the loss of a tenth of what was resolved within ten minutes', () => {
  const losses = new Losses();
  recorded(losses, 27, 'landed', 0);
  recorded(losses, 2, 'lost', MINUTE);
  expect(losses.tooMany(at(MINUTE))).toBeNull();
  recorded(losses, 1, 'lost', 2 * MINUTE);
  expect(losses.tooMany(at(2 * MINUTE))).toEqual({ resolved: 30, lost: 3 });
  recorded(losses, 1, 'landed', 2 * MINUTE);
  expect(losses.tooMany(at(2 * MINUTE))).toBeNull();
  expect(losses.tooMany(at(10 * MINUTE))).toEqual({ resolved: 4, lost: 3 });
  expect(losses.tooMany(at(12 * MINUTE))).toBeNull();
});

// attempts#repeated-losses
it('counts no loss of fewer than three transactions as a share, and those that are not recorded yet', () => {
  const losses = new Losses();
  recorded(losses, 2, 'lost', 0);
  expect(losses.tooMany(at(0))).toBeNull();
  expect(losses.tooMany(at(0), { resolved: 1, lost: 1 })).toEqual({ resolved: 3, lost: 3 });
  expect(losses.tooMany(at(0), { resolved: 29, lost: 1 })).toBeNull();
});

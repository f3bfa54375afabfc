import { expect, it } from 'vitest';

import { Losses } from './losses.js';
import { MINUTE } from '../testing/units-of-time.js';

const START = Date.parse('2026-10-02T08:00:00.000Z');

function lossesOnClock() {
  let time = START;
  const losses = new Losses({ now: () => new Date(time) });
  return {
    losses,
    setTo: (ms: number): void => {
      time = START + ms;
    },
    recorded: (count: number, state: 'landed' | 'lost'): void => {
      for (let times = 0; times < count; times += 1) losses.record(state);
    },
  };
}

// attempts#repeated-losses
it('finds the loss of a tenth of what was resolved within ten minutes', () => {
  const { losses, setTo, recorded } = lossesOnClock();
  recorded(27, 'landed');
  setTo(MINUTE);
  recorded(2, 'lost');
  expect(losses.tooMany()).toBeNull();
  setTo(2 * MINUTE);
  recorded(1, 'lost');
  expect(losses.tooMany()).toEqual({ resolved: 30, lost: 3 });
  recorded(1, 'landed');
  expect(losses.tooMany()).toBeNull();
  setTo(10 * MINUTE);
  expect(losses.tooMany()).toEqual({ resolved: 4, lost: 3 });
  setTo(12 * MINUTE);
  expect(losses.tooMany()).toBeNull();
});

// attempts#repeated-losses
it('counts no loss of fewer than three transactions as a share, and those that are not recorded yet', () => {
  const { losses, recorded } = lossesOnClock();
  recorded(2, 'lost');
  expect(losses.tooMany()).toBeNull();
  expect(losses.tooMany({ resolved: 1, lost: 1 })).toEqual({ resolved: 3, lost: 3 });
  expect(losses.tooMany({ resolved: 29, lost: 1 })).toBeNull();
});

// attempts#repeated-losses
it('forgets what was counted while the clock was ahead, once it is set back', () => {
  const { losses, setTo, recorded } = lossesOnClock();
  setTo(60 * MINUTE);
  recorded(3, 'lost');
  expect(losses.tooMany()).not.toBeNull();
  setTo(0);
  expect(losses.tooMany()).toBeNull();
  recorded(1, 'lost');
  setTo(MINUTE);
  expect(losses.tooMany({ resolved: 2, lost: 2 })).toEqual({ resolved: 3, lost: 3 });
});

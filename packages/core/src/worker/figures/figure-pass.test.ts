import { expect, it } from 'vitest';

import { ManualClock } from '../../testing/manual-clock.js';
import { MADE_AT } from '../../testing/records.js';
import { createFigurePass } from './figure-pass.js';

const service = (lacks: readonly 'FigureStore'[], batches: number[]) => {
  const clock = new ManualClock(MADE_AT);
  const limits: number[] = [];
  const mergeFigures = async (limit: number) => {
    limits.push(limit);
    return batches.shift() ?? 0;
  };
  return {
    clock,
    limits,
    pass: createFigurePass({ store: { mergeFigures }, clock, lacks: new Set(lacks) } as never),
  };
};

// figures#how-figures-are-made
it('merges everything that was added, and then waits for ten seconds', async () => {
  const { clock, limits, pass } = service([], [500, 500, 3, 7]);
  expect(await pass()).toEqual({ merged: 1_003 });
  clock.advance(9_999);
  expect(await pass()).toEqual({ merged: 0 });
  expect(limits).toEqual([500, 500, 500]);
  clock.advance(1);
  expect(await pass()).toEqual({ merged: 7 });
});

it('does nothing where the store keeps no figures', async () => {
  const { limits, pass } = service(['FigureStore'], [1]);
  expect(await pass()).toEqual({ merged: 0 });
  expect(limits).toEqual([]);
});

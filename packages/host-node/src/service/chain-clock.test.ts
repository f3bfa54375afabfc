import type { ChainResult, ChainHead } from '@subrail/core/ports';
import { ManualClock } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { createChainClock } from './chain-clock.js';

const START = new Date('2026-01-01T00:00:00Z');

const at = (time: string) => ({
  head: async (): Promise<ChainResult<ChainHead>> => ({
    ok: true,
    value: { slot: 1n, blockHeight: 1n, time: new Date(time) },
  }),
});

test('adopts the time of a chain that was moved, and continues from there', async () => {
  const system = new ManualClock(START);
  const clock = createChainClock(system);
  expect(clock.now()).toEqual(START);
  await clock.sync(at('2026-03-01T00:00:00Z'));
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:00Z'));
  system.advance(5_000);
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:05Z'));
});

test('ignores differences within the resolution of the chain’s time', async () => {
  const clock = createChainClock(new ManualClock(START));
  await clock.sync(at('2026-01-01T00:00:02Z'));
  await clock.sync(at('2025-12-31T23:59:58Z'));
  expect(clock.now()).toEqual(START);
});

test('changes nothing when the chain is unavailable', async () => {
  const clock = createChainClock(new ManualClock(START));
  await clock.sync({ head: async () => ({ ok: false, unavailable: { kind: 'transport' } }) });
  expect(clock.now()).toEqual(START);
});

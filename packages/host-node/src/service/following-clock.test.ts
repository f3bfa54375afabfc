import type { Answer, ChainHead } from '@subrail/core/ports';
import { ManualClock } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { createFollowingClock } from './following-clock.js';

const START = new Date('2026-01-01T00:00:00Z');

const at = (time: string) => ({
  head: async (): Promise<Answer<ChainHead>> => ({
    ok: true,
    value: { slot: 1n, blockHeight: 1n, time: new Date(time) },
  }),
});

test('takes over the time of a chain that was moved, and goes on from there', async () => {
  const system = new ManualClock(START);
  const clock = createFollowingClock(system);
  expect(clock.now()).toEqual(START);
  await clock.follow(at('2026-03-01T00:00:00Z'));
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:00Z'));
  system.advance(5_000);
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:05Z'));
});

test('the grain of a chain’s time moves nothing, so that time does not stumble', async () => {
  const clock = createFollowingClock(new ManualClock(START));
  await clock.follow(at('2026-01-01T00:00:02Z'));
  await clock.follow(at('2025-12-31T23:59:58Z'));
  expect(clock.now()).toEqual(START);
});

test('a silent chain changes nothing', async () => {
  const clock = createFollowingClock(new ManualClock(START));
  await clock.follow({ head: async () => ({ ok: false, unavailable: { kind: 'transport' } }) });
  expect(clock.now()).toEqual(START);
});

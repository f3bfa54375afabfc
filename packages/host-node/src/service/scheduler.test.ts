import type { Logger } from '@subrail/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScheduler, type Job, type Scheduler } from './scheduler.js';

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
let scheduler: Scheduler | null = null;

function startScheduler(jobs: readonly Job[]): Scheduler {
  const started = createScheduler(jobs, logger);
  started.start();
  return started;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(async () => {
  await scheduler?.stop();
  vi.useRealTimers();
});

const second = () => vi.advanceTimersByTimeAsync(1_000);

test('runs a job every second without overlap, and does not let a slow job delay another', async () => {
  let finish = () => {};
  const runs = { slow: 0, quick: 0 };
  const slow = () => {
    runs.slow += 1;
    return new Promise<void>((resolve) => (finish = resolve));
  };
  const quick = () => Promise.resolve((runs.quick += 1));
  scheduler = startScheduler([
    { name: 'slow', run: slow },
    { name: 'quick', run: quick },
  ]);
  for (let at = 0; at < 3; at += 1) await second();
  expect(runs.slow).toBe(1);
  expect(runs.quick).toBeGreaterThanOrEqual(2);
  finish();
  await second();
  expect(runs.slow).toBe(2);
  finish();
});

test('runs a job that failed again at the next second', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw new Error('disk full');
  };
  scheduler = startScheduler([{ name: 'charges', run }]);
  await second();
  await second();
  expect(runs).toBe(2);
});

test('starts no run after stopping and waits for the one in progress', async () => {
  let finish = () => {};
  let runs = 0;
  const run = () => {
    runs += 1;
    return new Promise<void>((resolve) => (finish = resolve));
  };
  const stopping = startScheduler([{ name: 'charges', run }]);
  await second();
  let stopped = false;
  const stop = stopping.stop().then(() => (stopped = true));
  await second();
  expect([runs, stopped]).toEqual([1, false]);
  finish();
  await stop;
  await second();
  expect(runs).toBe(1);
});

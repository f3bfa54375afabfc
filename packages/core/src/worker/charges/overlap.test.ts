import { expect, it } from 'vitest';

import { Overlap } from './overlap.js';

/** Lets promises that are ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('tasks overlap up to the limit, and a further one starts when one ends', async () => {
  const ends: (() => void)[] = [];
  const tasks = new Overlap(2);
  const task = () => new Promise<void>((resolve) => ends.push(resolve));
  const started = Promise.all([tasks.start(task), tasks.start(task), tasks.start(task)]);
  await settle();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await started;
  expect(ends).toHaveLength(3);
  ends[0]?.();
  ends[2]?.();
  await tasks.end();
});

it('after a failure no further task starts, and the end waits for those that run', async () => {
  const tasks = new Overlap(2);
  let ended = false;
  await tasks.start(async () => {
    await settle();
    ended = true;
  });
  await tasks.start(() => Promise.reject(new Error('disk full')));
  await Promise.resolve();
  await expect(tasks.start(() => Promise.reject(new Error('not started')))).rejects.toThrow('disk full');
  await expect(tasks.end()).rejects.toThrow('disk full');
  expect(ended).toBe(true);
});

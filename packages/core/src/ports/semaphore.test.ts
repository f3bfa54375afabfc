import { expect, it } from 'vitest';

import { Semaphore } from './semaphore.js';

/** Lets promises that are ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that says when it began, and ends when it is told to. */
function heldWork() {
  const began: number[] = [];
  const ends = new Map<number, (failure?: Error) => void>();
  const work = (name: number) => {
    began.push(name);
    return new Promise<number>((resolve, reject) =>
      ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure))),
    );
  };
  return { began, ends, work };
}

it('admits as many as its limit, and the others in the order in which they asked', async () => {
  const { began, ends, work } = heldWork();
  const places = new Semaphore(2);
  const results = places.map([0, 1, 2, 3], work);
  await settle();
  expect(began).toEqual([0, 1]);
  ends.get(1)?.();
  await settle();
  expect(began).toEqual([0, 1, 2]);
  ends.get(0)?.();
  await settle();
  expect(began).toEqual([0, 1, 2, 3]);
  ends.get(3)?.();
  ends.get(2)?.();
  expect(await results).toEqual([0, 1, 2, 3]);
});

it('passes a failure on, and the place to the next', async () => {
  const { began, ends, work } = heldWork();
  const places = new Semaphore(1);
  const failing = places.run(() => work(0));
  const next = places.run(() => work(1));
  await settle();
  ends.get(0)?.(new Error('disk full'));
  await expect(failing).rejects.toThrow('disk full');
  await settle();
  expect(began).toEqual([0, 1]);
  ends.get(1)?.();
  expect(await next).toBe(1);
});

it('gives no later caller a place that one who waits is about to have', async () => {
  const places = new Semaphore(1);
  const order: string[] = [];
  await places.acquire();
  const waiting = places.acquire().then(() => order.push('first'));
  places.release();
  const later = places.acquire().then(() => order.push('later'));
  await settle();
  expect(order).toEqual(['first']);
  places.release();
  await Promise.all([waiting, later]);
  expect(order).toEqual(['first', 'later']);
});

it('admits more when its limit is raised, and none above a lower one', async () => {
  const { began, ends, work } = heldWork();
  const places = new Semaphore(1);
  const results = places.map([0, 1, 2, 3], work);
  await settle();
  places.limit = 3;
  await settle();
  expect(began).toEqual([0, 1, 2]);
  places.limit = 1;
  ends.get(0)?.();
  ends.get(1)?.();
  await settle();
  expect(began).toEqual([0, 1, 2]);
  ends.get(2)?.();
  await settle();
  expect(began).toEqual([0, 1, 2, 3]);
  ends.get(3)?.();
  expect(await results).toEqual([0, 1, 2, 3]);
});

import { expect, it } from 'vitest';

import { InTurn } from './in-turn.js';

/** Lets everything run that waits for no clock. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('calls run one after another, also after one that failed or was cancelled', async () => {
  const sleeps: (() => void)[] = [];
  const calls = new InTurn({ sleep: () => new Promise((resolve) => sleeps.push(resolve)) });
  const seen: string[] = [];
  const call = (name: string) =>
    calls.run(async () => {
      seen.push(`${name} begins`);
      await settled();
      seen.push(`${name} ends`);
    });
  const failed = calls.run(() => Promise.reject(new Error('no store')));
  const first = [call('a'), call('b')];
  await expect(failed).rejects.toThrow('no store');
  await Promise.all(first);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);

  void calls.run(() => new Promise(() => undefined));
  await settled();
  const next = [call('c'), call('d')];
  await settled();
  expect(seen).toHaveLength(4);
  sleeps.at(-2)?.();
  await Promise.all(next);
  expect(seen.slice(4)).toEqual(['c begins', 'c ends', 'd begins', 'd ends']);
});

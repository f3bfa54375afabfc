import { expect, it } from 'vitest';

import type { Chain, ChainHead, ChainResult, Clock } from '../ports/index.js';
import { ManualClock } from '../testing/manual-clock.js';
import { partialPort } from '../testing/partial-port.js';
import { MADE_AT } from '../testing/records.js';
import { clockComparison } from './clock-comparison.js';
import { SECOND } from '../testing/units-of-time.js';

/** A clock that needs a comparison, and a chain that answers when the test says so. */
function fixture() {
  const moved = new ManualClock(MADE_AT);
  const questions: ((answer: ChainResult<ChainHead>) => void)[] = [];
  const state = { needs: true };
  const clock: Clock = {
    now: () => moved.now(),
    sleep: (ms, signal) => moved.sleep(ms, signal),
    needsComparison: () => state.needs,
  };
  const chain = partialPort<Chain>({ head: () => new Promise((resolve) => questions.push(resolve)) });
  const compare = clockComparison({ chain, clock });
  const answer = () => questions.at(-1)?.({ ok: false, unavailable: { kind: 'transport' } });
  /** How long a call waits, in seconds. */
  const wait = async () => {
    const begun = moved.now().getTime();
    await moved.finish(compare());
    return (moved.now().getTime() - begun) / SECOND;
  };
  return { moved, questions, state, compare, answer, wait };
}

// clocks#chain-asked-after-a-step
it('asks the chain nothing while the clock needs no comparison', async () => {
  const { questions, state, compare } = fixture();
  state.needs = false;
  await compare();
  expect(questions).toEqual([]);
});

// clocks#chain-asked-after-a-step
it('asks the chain once a second for all calls, which go on with its answer', async () => {
  const { moved, questions, compare, answer } = fixture();
  for (let second = 1; second <= 3; second += 1) {
    const calls = Array.from({ length: 20 }, () => compare());
    expect(questions).toHaveLength(second);
    answer();
    await Promise.all(calls);
    await compare();
    expect(questions).toHaveLength(second);
    moved.advance(SECOND);
  }
});

// clocks#chain-asked-after-a-step
it('lets no call wait for longer than a second after it asked, and asks again after ten', async () => {
  const { moved, questions, wait } = fixture();
  expect(await wait()).toBe(1);
  expect(await wait()).toBe(0);
  moved.advance(8.9 * SECOND);
  expect(await wait()).toBe(0);
  expect(questions).toHaveLength(1);
  moved.advance(0.1 * SECOND);
  expect(await wait()).toBe(1);
  expect(questions).toHaveLength(2);
});

// clocks#chain-asked-after-a-step
it('asks at once at the next step, also where no time passed since the last', async () => {
  const { questions, state, compare, answer } = fixture();
  for (let step = 1; step <= 2; step += 1) {
    state.needs = true;
    const call = compare();
    expect(questions).toHaveLength(step);
    state.needs = false;
    answer();
    await call;
  }
});

import { clockConformance } from '@subrail/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { createClock } from './clock.js';
import type { ClockSources } from './machine-time.js';

const NOON = Date.parse('2026-01-01T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Machine {
  wall: number;
  elapsed: number;
  slept: number;
}

/** A machine at noon whose clock can be set, and which can sleep, and the clock of a service on it. */
function machine(sourcesOf: (state: Machine) => Partial<ClockSources> = () => ({})) {
  const state: Machine = { wall: NOON, elapsed: 0, slept: 0 };
  const clock = createClock({
    wall: () => state.wall,
    elapsed: () => state.elapsed,
    ...sourcesOf(state),
  });
  const minutesPastNoon = (time: Date) => (time.getTime() - NOON) / MINUTE;
  return {
    state,
    clock,
    /** How many minutes past noon the clock shows. */
    shown: () => minutesPastNoon(clock.now()),
    /** Time passes, during which a worker looks at the clock every second. */
    pass: (ms: number) => {
      for (let left = ms; left > 0; left -= SECOND) {
        state.wall += SECOND;
        state.elapsed += SECOND;
        clock.now();
      }
    },
    /** The chain shows a time of so many minutes past noon. */
    chainShows: (minutes: number) => clock.compare?.(new Date(NOON + minutes * MINUTE)),
  };
}

/** Such a machine, whose clock is set by so many hours in a direction, and looked at. */
function stepping(direction: number) {
  const made = machine();
  const step = (hours: number) => {
    made.state.wall += direction * hours * HOUR;
    made.clock.now();
  };
  return { ...made, step };
}

describe('the Clock port', () => {
  clockConformance(test, () => ({ clock: createClock() }));

  test('returns the machine’s time', () => {
    const before = Date.now();
    const now = createClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  test('sleeps longer than one timer can, even when the machine’s time is changed meanwhile', async () => {
    vi.useFakeTimers();
    try {
      const days60 = 60 * 24 * 3_600_000;
      let over = false;
      const sleep = createClock()
        .sleep(days60)
        .then(() => (over = true));
      vi.setSystemTime(Date.now() + days60);
      await vi.advanceTimersByTimeAsync(days60 - 1);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await sleep;
      expect(over).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

// clocks#step-of-the-machines-clock
describe.each([
  ['back by 30 seconds', -30 * SECOND],
  ['back by an hour', -HOUR],
  ['back by a day', -24 * HOUR],
  ['forward by two seconds', 2 * SECOND],
  ['forward by 8 hours', 8 * HOUR],
  ['forward by 30 days', 30 * 24 * HOUR],
])('a step %s', (_, step) => {
  test('is not shown for a minute, and then at once', () => {
    const { state, shown, pass } = machine();
    state.wall += step;
    expect(shown()).toBe(0);
    pass(MINUTE - SECOND);
    expect(shown()).toBe((MINUTE - SECOND) / MINUTE);
    pass(SECOND);
    expect(shown()).toBe(1 + step / MINUTE);
  });

  test('is forgotten when it is taken back, and the next one has a minute of its own', () => {
    const { state, shown, pass, clock } = machine();
    state.wall += step;
    pass(50 * SECOND);
    state.wall -= step;
    pass(10 * SECOND);
    expect(shown()).toBe(1);
    expect(clock.needsComparison?.()).toBe(true);
    state.wall += step;
    pass(50 * SECOND);
    expect(shown()).toBeCloseTo(1 + 50 / 60, 9);
  });
});

// clocks#step-of-the-machines-clock
describe.each([
  ['back', -1],
  ['forward', 1],
])('steps %s that follow each other within a minute', (_, direction) => {
  test('have a minute each, and a further one gives none to those before', () => {
    const { state, clock, step } = stepping(direction);
    const SHORT = 40;
    const BURSTS = 48;
    const ahead = () => (state.wall - clock.now().getTime()) * direction;
    for (let burst = 0; burst < BURSTS; burst += 1) {
      step(1);
      for (let second = 0; second < SHORT; second += 1) {
        state.wall += SECOND;
        state.elapsed += SECOND;
        // The one of this burst, and the one before until it is a minute old.
        const steps = burst === 0 || SHORT + second + 1 >= 60 ? 1 : 2;
        expect(ahead()).toBe(steps * HOUR);
      }
    }
  });

  test('do not show what was taken back, nor what has not lasted', () => {
    const { shown, pass, step } = stepping(direction);
    step(1);
    pass(20 * SECOND);
    step(720);
    pass(20 * SECOND);
    step(-720);
    pass(19 * SECOND);
    step(24);
    expect(shown()).toBeCloseTo(59 / 60, 9);
    pass(SECOND);
    expect(shown()).toBe(1 + direction * 60);
    pass(58 * SECOND);
    expect(shown()).toBeCloseTo(118 / 60 + direction * 60, 9);
    pass(SECOND);
    expect(shown()).toBeCloseTo(119 / 60 + direction * 25 * 60, 9);
  });

  test('begin anew when the machine’s clock goes back from them, or past the believed time', () => {
    const { shown, pass, step } = stepping(direction);
    step(8);
    pass(40 * SECOND);
    step(-6);
    pass(40 * SECOND);
    expect(shown()).toBeCloseTo(80 / 60, 9);
    step(-3);
    pass(59 * SECOND);
    expect(shown()).toBeCloseTo(139 / 60, 9);
    pass(SECOND);
    expect(shown()).toBeCloseTo(140 / 60 - direction * 60, 9);
  });

  test('are none of them shown while the chain contradicts them', () => {
    const { shown, pass, step, chainShows } = stepping(direction);
    for (let minute = 1; minute <= 10; minute += 1) {
      step(1);
      pass(50 * SECOND);
      chainShows((minute * 50) / 60);
    }
    pass(59 * SECOND);
    expect(shown()).toBeCloseTo(559 / 60, 9);
    pass(SECOND);
    expect(shown()).toBeCloseTo(560 / 60 + direction * 600, 9);
  });
});

// clocks#step-of-the-machines-clock
describe.each([
  ['back', -60],
  ['forward', 60],
])('a step %s by an hour', (_, minutes) => {
  test('is shown as soon as the chain agrees', () => {
    const { state, shown, chainShows } = machine();
    state.wall += minutes * MINUTE;
    expect(chainShows(minutes + 1)).toBe(MINUTE);
    expect(shown()).toBe(minutes);
  });

  test('is not shown while the chain contradicts it, and a minute later when the chain is silent', () => {
    const { state, shown, pass, chainShows } = machine();
    state.wall += minutes * MINUTE;
    for (let minute = 1; minute <= 10; minute += 1) {
      pass(50 * SECOND);
      expect(chainShows((minute * 50) / 60)).toBe(-minutes * MINUTE);
    }
    pass(59 * SECOND);
    expect(shown()).toBeCloseTo(559 / 60, 9);
    pass(SECOND);
    expect(shown()).toBeCloseTo(560 / 60 + minutes, 9);
  });

  test('is as if the chain were silent when the chain shows a third time, or both are near it', () => {
    for (const chain of [500, minutes / 2]) {
      const { state, shown, pass, chainShows } = machine();
      state.wall += minutes * MINUTE;
      for (let second = 0; second < 60; second += 1) {
        expect(shown()).toBeCloseTo(second / 60, 9);
        chainShows(chain);
        pass(SECOND);
      }
      expect(shown()).toBe(minutes + 1);
    }
  });

  // clocks#chain-asked-after-a-step
  test('needs the time of the chain until that was compared once after it', () => {
    const { state, clock, chainShows } = machine();
    expect(clock.needsComparison?.()).toBe(false);
    state.wall += minutes * MINUTE;
    expect(clock.needsComparison?.()).toBe(true);
    chainShows(0);
    expect(clock.needsComparison?.()).toBe(true);
    state.wall -= minutes * MINUTE;
    expect(clock.needsComparison?.()).toBe(true);
    chainShows(0);
    expect(clock.needsComparison?.()).toBe(false);
  });
});

// clocks#step-of-the-machines-clock
describe('a machine that slept', () => {
  test('is right at once where the system tells for how long', () => {
    // In whole seconds, and counted from the start of the machine.
    const { state, shown, pass } = machine((at) => ({
      uptime: () => Math.floor((5_000_300 + at.elapsed + at.slept) / SECOND) * SECOND,
    }));
    pass(10 * SECOND);
    for (const hours of [8, 24]) {
      const before = shown();
      state.wall += hours * HOUR + 400;
      state.slept += hours * HOUR + 400;
      expect(shown()).toBeCloseTo(before + hours * 60 + 400 / MINUTE, 9);
    }
  });

  test('is right a minute later where its clock was also set meanwhile', () => {
    const { state, shown, pass } = machine((at) => ({ uptime: () => at.elapsed + at.slept }));
    state.wall += 9 * HOUR;
    state.slept += 8 * HOUR;
    expect(shown()).toBe(480);
    pass(MINUTE);
    expect(shown()).toBe(541);
  });
});

// clocks#step-of-the-machines-clock
describe('a clock that is a little wrong', () => {
  test('is followed forward at once, and goes on at half pace until the machine has caught up', () => {
    const { state, clock } = machine();
    const shown = () => clock.now().getTime() - NOON;
    state.wall += 900;
    expect(shown()).toBe(900);
    state.wall -= 800;
    expect(shown()).toBe(900);
    state.wall += 600;
    state.elapsed += 600;
    expect(shown()).toBe(1_200);
    state.wall += 1_000;
    state.elapsed += 1_000;
    expect(shown()).toBe(1_700);
    state.wall += 500;
    state.elapsed += 500;
    expect(shown()).toBe(2_200);
  });

  test('is believed forward where the time that passed is the machine’s too, as in a Cloudflare Worker', () => {
    const { state, shown, pass } = machine((at) => ({ elapsed: () => at.wall }));
    state.wall += HOUR;
    expect(shown()).toBe(60);
    state.wall -= HOUR;
    expect(shown()).toBe(60);
    pass(MINUTE);
    expect(shown()).toBe(1);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';

import { serviceFixture } from '../../http/tests/fixtures.js';
import { createPassWatch } from './pass-watch.js';

const pass = { signs: 1, isRunning: false };
let look: (times: number) => void;
let open: () => readonly string[];

beforeEach(() => {
  Object.assign(pass, { signs: 1, isRunning: false });
  const { billing } = serviceFixture();
  const once = createPassWatch(billing.service, [{ name: 'charges', activity: () => ({ ...pass }) }]);
  look = (times) => {
    for (let time = 0; time < times; time += 1) once();
  };
  open = () => billing.service.alerts.open().map(({ key, severity }) => `${severity} ${key}`);
});

// clocks#watch-of-the-passes
describe('the watch of the passes', () => {
  it('reports a pass that does not run for three intervals, until it runs', () => {
    look(3);
    expect(open()).toEqual([]);
    look(1);
    expect(open()).toEqual(['error pass_standing:charges']);
    pass.signs += 1;
    look(1);
    expect(open()).toEqual([]);
  });

  it('reports nothing while a pass runs every second, or goes on for less than five minutes', () => {
    for (let second = 0; second < 10; second += 1) {
      look(1);
      pass.signs += 2;
    }
    pass.isRunning = true;
    look(300);
    expect(open()).toEqual([]);
  });

  it('reports a run that shows no progress for five minutes, and not one that does', () => {
    pass.isRunning = true;
    for (let minute = 0; minute < 10; minute += 1) {
      look(60);
      pass.signs += 1;
    }
    expect(open()).toEqual([]);
    look(301);
    expect(open()).toEqual(['error pass_standing:charges']);
  });
});

import { expect, it } from 'vitest';
import type { RuntimeInstruction } from '../runtime/program.js';
import { Fixtures, HOUR, M, PRICE } from './tests/fixtures.js';
import { OURS } from './tests/test-chain.js';

// program#network-fee-and-compute-units
it('each instruction uses as many compute units as the deployed program', () => {
  const used: Record<string, number> = {};
  const w = new Fixtures(OURS).bare();
  const note = (name: string, instruction: RuntimeInstruction) => {
    used[name] = Number(w.ok(instruction).unitsUsed);
  };
  note('init', w.init());
  note('create plan', w.createPlan());
  note('subscribe', w.subscribe());
  note('transfer', w.pull(PRICE));
  note('update plan', w.updatePlan({ pullers: [M] }));
  note('cancel', w.cancel());
  note('resume', w.resume());
  w.ok(w.cancel());
  w.advance(HOUR);
  note('revoke', w.revoke());
  note('close authority', w.closeAuthority());
  w.advance(31n * 24n * HOUR);
  note('delete plan', w.deletePlan());

  const measured: Readonly<Record<string, readonly [least: number, most: number]>> = {
    init: [4_800, 22_700],
    'create plan': [3_400, 13_900],
    subscribe: [6_500, 18_500],
    transfer: [5_800, 8_800],
    // About 500, and the event.
    'update plan': [1_500, 1_800],
    cancel: [1_700, 2_000],
    resume: [1_650, 1_750],
    revoke: [300, 500],
    'close authority': [1_750, 1_850],
    'delete plan': [350, 450],
  };
  expect(Object.keys(used)).toEqual(Object.keys(measured));
  for (const [name, [least, most]] of Object.entries(measured)) {
    expect(used[name], name).toBeGreaterThanOrEqual(least);
    expect(used[name], name).toBeLessThanOrEqual(most);
  }
});

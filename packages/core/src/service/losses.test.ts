import { expect, it } from 'vitest';

import { anId } from '../testing/records.js';
import { Losses } from './losses.js';

const START = Date.parse('2026-10-02T08:00:00.000Z');
const MINUTE = 60_000;
const at = (ms: number) => new Date(START + ms);
const subjects = (found: ReturnType<Losses['record']>) => found.map(({ subject }) => subject);

// attempts#repeated-losses
it('finds three losses in a row of one subscription, and not three of three', () => {
  const losses = new Losses();
  const [one, two, three] = [anId('sub'), anId('sub'), anId('sub')];
  for (let landed = 0; landed < 1_000; landed += 1) losses.record(three, 'landed', at(0));
  for (const subscription of [one, two, one, two])
    expect(subjects(losses.record(subscription, 'lost', at(0)))).toEqual([]);
  expect(losses.record(one, 'lost', at(0))).toEqual([
    { subject: 'in_a_row', facts: { subscription: one, lost: 3 } },
  ]);
  losses.record(two, 'failed', at(0));
  expect(subjects(losses.record(two, 'lost', at(0)))).toEqual([]);
});

// attempts#repeated-losses
it('finds the loss of a tenth of what was resolved within ten minutes', () => {
  const losses = new Losses();
  for (let landed = 0; landed < 9; landed += 1) losses.record(anId('sub'), 'landed', at(0));
  expect(losses.record(anId('sub'), 'lost', at(MINUTE))).toEqual([
    { subject: 'share', facts: { resolved: 10, lost: 1 } },
  ]);
  for (let landed = 0; landed < 9; landed += 1) losses.record(anId('sub'), 'landed', at(2 * MINUTE));
  expect(subjects(losses.record(anId('sub'), 'lost', at(11 * MINUTE)))).toEqual(['share']);
  for (let landed = 0; landed < 19; landed += 1) losses.record(anId('sub'), 'landed', at(30 * MINUTE));
  expect(subjects(losses.record(anId('sub'), 'landed', at(30 * MINUTE)))).toEqual([]);
  expect(subjects(losses.record(anId('sub'), 'lost', at(30 * MINUTE)))).toEqual([]);
});

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { AlertKind } from '../ports/index.js';
import { ALERT_KINDS } from './alert-kinds.js';
import { AlertStates } from './alert-states.js';
import { SECOND, MINUTE } from '../testing/units-of-time.js';

const START = Date.parse('2026-10-02T08:00:00.000Z');

type Step = readonly [atMs: number, does: 'seen' | 'over' | 'settle', tells: string];

/** Plays steps on one alert, and returns what each of them told. */
function played(kind: AlertKind, steps: readonly Step[]): readonly Step[] {
  const states = new AlertStates();
  return steps.map(([atMs, does]) => {
    const at = new Date(START + atMs);
    const told =
      does === 'seen'
        ? states.seen({ kind }, at)
        : does === 'over'
          ? states.over(kind, null, at)
          : states.settle(at);
    return [
      atMs,
      does,
      told.map(({ change, since }) => `${change} ${since.getTime() - START}`).join(),
    ] as const;
  });
}

// alerts#begin-and-end
describe('an alert', () => {
  it.each<[string, AlertKind, readonly Step[]]>([
    [
      'that counts at once begins once and ends once, however often it is seen',
      'charger_empty',
      [
        [0, 'seen', 'began 0'],
        [SECOND, 'seen', ''],
        [MINUTE, 'seen', ''],
        [2 * MINUTE, 'over', 'ended 0'],
        [2 * MINUTE, 'over', ''],
        [3 * MINUTE, 'seen', `began ${3 * MINUTE}`],
      ],
    ],
    ['that was never seen does not end', 'charger_empty', [[0, 'over', '']]],
    [
      'that has to last begins when it is seen again after that time, since it was seen first',
      'chain_unavailable',
      [
        [0, 'seen', ''],
        [30 * SECOND - 1, 'seen', ''],
        [30 * SECOND, 'seen', 'began 0'],
        [40 * SECOND, 'over', 'ended 0'],
      ],
    ],
    [
      'that has to last is told of neither way when it was over before',
      'chain_unavailable',
      [
        [0, 'seen', ''],
        [20 * SECOND, 'over', ''],
        [40 * SECOND, 'seen', ''],
        [69 * SECOND, 'seen', ''],
        [70 * SECOND, 'seen', `began ${40 * SECOND}`],
      ],
    ],
    [
      'whose end nothing sees ends when it was not seen for long enough',
      'charges_blocked',
      [
        [0, 'seen', 'began 0'],
        [20 * MINUTE, 'seen', ''],
        [50 * MINUTE - 1, 'settle', ''],
        [50 * MINUTE, 'settle', 'ended 0'],
        [50 * MINUTE, 'settle', ''],
      ],
    ],
    [
      'whose end something sees does not end by itself',
      'charger_empty',
      [
        [0, 'seen', 'began 0'],
        [30 * 24 * 60 * MINUTE, 'settle', ''],
      ],
    ],
  ])('%s', (_, kind, steps) => {
    expect(played(kind, steps)).toEqual(steps);
  });

  it('is one for each subject, and keeps the figures with which it began', () => {
    const states = new AlertStates();
    const at = new Date(START);
    states.seen({ kind: 'charges_blocked', subject: 'program_130', facts: { subscription: 'one' } }, at);
    states.seen({ kind: 'charges_blocked', subject: 'solana_1', facts: { subscription: 'two' } }, at);
    states.seen({ kind: 'charges_blocked', subject: 'program_130', facts: { subscription: 'three' } }, at);
    expect(states.open().map(({ key, facts }) => [key, facts])).toEqual([
      ['charges_blocked:program_130', { subscription: 'one' }],
      ['charges_blocked:solana_1', { subscription: 'two' }],
    ]);
    const [ended] = states.over('charges_blocked', 'program_130', at);
    expect(ended).toMatchObject({ change: 'ended', message: ALERT_KINDS.charges_blocked.ends });
    expect(states.open()).toHaveLength(1);
  });
});

// alerts#kinds
it('has the kinds and severities that the rules list', () => {
  const page = readFileSync(new URL('../../../../docs/rules/alerts.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, kind, severity]) => [
    kind,
    severity,
  ]);
  expect(listed).toEqual(Object.entries(ALERT_KINDS).map(([kind, { severity }]) => [kind, severity]));
});

it('says everything of a kind in whole sentences', () => {
  for (const { begins, ends } of Object.values(ALERT_KINDS))
    for (const sentence of [begins, ends]) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

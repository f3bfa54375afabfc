import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AttemptWire,
  BlockedReason,
  EndReason,
  EventType,
  LateReason,
  MailKind,
  StopReason,
  SubscriptionStatus,
} from '@subrail/core/schemas';
import { describe, expect, it } from 'vitest';

import { readPages, type Row } from './table.js';

/** One row of a scenario, as one of its subscriptions sees it. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly act: string;
  readonly attempts: string;
  readonly events: string;
  readonly mails: string;
}

/** Each row of the contract's table of transitions, as the steps that show it. */
const TRANSITIONS: readonly (readonly [string, Partial<Record<keyof Step, RegExp>>])[] = [
  ['a create makes a pending one', { from: /^none$/, act: /opens a checkout/, to: /^pending$/ }],
  [
    'a submit that landed makes it active',
    { from: /^pending$/, act: /submits/, to: /^active/, events: /created, access_granted/ },
  ],
  [
    'a submit that landed otherwise fails',
    { from: /^pending$/, act: /subscription_mismatch/, to: /^failed$/ },
  ],
  ["the operator's plan that landed cancelled fails", { act: /dev_not_running/, to: /^failed$/ }],
  ['one that was closed and remade fails', { act: /subscription_remade/, to: /^failed$/ }],
  [
    'a transaction that expired settles nothing',
    { from: /^pending$/, act: /transaction_expired/, to: /^pending$/ },
  ],
  [
    'a transaction that failed settles nothing',
    { from: /^pending$/, act: /transaction_failed/, to: /^pending$/ },
  ],
  [
    'a charge that is rejected at the due date makes it unpaid',
    { from: /^active/, act: /^$/, attempts: /^rejected \w+$/, to: /^unpaid/, events: /^payment_failed$/ },
  ],
  [
    'the last retry stops it',
    {
      from: /^unpaid/,
      attempts: /^rejected.*retry 3 of 3/,
      to: /^stopped \(out_of_retries\)/,
      events: /^payment_failed, stopped/,
    },
  ],
  ['the deadline on Free stops it', { from: /^unpaid/, act: /^$/, to: /^stopped \(retry_deadline_passed\)/ }],
  ...['program_103', 'program_136', 'authority_closed'].map(
    (reason) =>
      [
        `an active one stops on ${reason}`,
        { from: /^active/, attempts: new RegExp(`^rejected ${reason}`), to: /^stopped \(authority_closed\)/ },
      ] as const,
  ),
  ['an unpaid one stops on a closed authority', { from: /^unpaid/, to: /^stopped \(authority_closed\)/ }],
  ...['active', 'unpaid', 'stopped'].map(
    (status) =>
      [
        `a cancellation of one that is ${status}`,
        { from: new RegExp(`^${status}`), act: / cancels$/, to: /^cancelled/, events: /^cancelled/ },
      ] as const,
  ),
  ['a resume before the end', { from: /^cancelled/, act: / resumes$/, to: /^active/, events: /^resumed$/ }],
  [
    'a cancellation that reached its end',
    { from: /^cancelled/, act: /^$/, to: /^ended \(cancelled\)/, events: /^access_revoked, ended$/ },
  ],
  ['a close of a cancelled one', { from: /\(cancelled\)/, act: / closes$/, to: /^ended \(closed\)/ }],
  [
    'a close of one whose authority is closed',
    { from: /^stopped \(authority_closed\)/, act: / closes$/, to: /^ended \(closed\)/ },
  ],
  [
    'a close of one that ended with its plan',
    { from: /^ended \(plan_ended\)/, act: / closes$/, to: /^ended \(plan_ended\)/ },
  ],
  ...['plan_removed', 'plan_replaced', 'plan_ended', 'closed_elsewhere'].map(
    (reason) =>
      [
        `an end by ${reason}`,
        {
          from: /^(active|unpaid)/,
          attempts: new RegExp(`skipped ${reason}$`),
          to: new RegExp(`^ended \\(${reason}\\)`),
        },
      ] as const,
  ),
  ['a seat that is parked', { from: /^active; access/, to: /^active; parked/, events: /^paused$/ }],
  ['a seat that is back', { from: /; parked/, to: /^active; access/, events: /^unpaused/ }],
  ['a checkout that nobody signs', { from: /^pending$/, act: /^$/, to: /^expired$/, events: /^expired$/ }],
  ['a subscription that a newer one replaces', { from: /^stopped/, act: / comes back$/, to: /^superseded$/ }],
  [
    'a subscription that a change of plan replaces',
    {
      from: /^active/,
      act: / changes to the other plan$/,
      to: /^ended \(plan_changed\)/,
      events: /^access_revoked, ended$/,
    },
  ],
  [
    'a late payment that a retry pays',
    { from: /^unpaid/, attempts: /^paid \(retry/, to: /^active/, events: /^renewed/ },
  ],
];

const steps = [...readPages().values()].flat().flatMap(({ rows }) => stepsOf(rows));
const shown = (pattern: RegExp, column: keyof Step): ReadonlySet<string> =>
  new Set(steps.flatMap((step) => [...step[column].matchAll(pattern)].map(([, found = '']) => found)));

/** Fails with what no scenario shows. */
function expectShown(all: readonly string[], found: ReadonlySet<string>): void {
  expect(all.filter((one) => !found.has(one))).toEqual([]);
}

it('every page is played by a test file of its name', () => {
  for (const page of readPages().keys()) {
    const name = page.replace('.md', '');
    expect(readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8')).toContain(
      `playPage('${name}')`,
    );
  }
});

describe('the scenarios show', () => {
  it.each(TRANSITIONS)('the transition: %s', (_, pattern) => {
    const fits = (step: Step) =>
      Object.entries(pattern).every(([column, words]) => words.test(step[column as keyof Step]));
    expect(steps.some(fits)).toBe(true);
  });

  it('every reason of an attempt', () => {
    expectShown([...reasonsOfAttempts()], shown(/(?:skipped|rejected|blocked) ([\w-]+)/g, 'attempts'));
  });

  it('every cause of a block', () => {
    expectShown(BlockedReason.options, shown(/blocked by (\w+)/g, 'to'));
  });

  it('every status with its reasons', () => {
    expectShown(SubscriptionStatus.options, shown(/^(\w+)/g, 'to'));
    expectShown(EndReason.options, shown(/^ended \((\w+)\)/g, 'to'));
    expectShown(StopReason.options, shown(/^stopped \((\w+)\)/g, 'to'));
    expectShown(
      [...LateReason.options].filter((reason) => reason !== 'authority_closed'),
      shown(/^unpaid \((\w+)\)/g, 'to'),
    );
  });

  it('every event', () => {
    const types = [...shown(/(\w+)/g, 'events')].map((type) => `subscription.${type}`);
    expectShown(EventType.options, new Set(types));
  });

  it('every kind of mail', () => {
    expectShown(MailKind.options, shown(/(\w+)/g, 'mails'));
  });
});

/** The reasons that the contract lists. */
function reasonsOfAttempts(): readonly string[] {
  const { examples = [] } = AttemptWire.shape.reason.unwrap().meta() ?? {};
  if (!Array.isArray(examples) || examples.length === 0) throw new Error('The contract lists no reasons.');
  return examples.map(String);
}

/** The steps of one scenario: for each row, what it says of each subscription that it names. */
function stepsOf(rows: readonly Row[]): readonly Step[] {
  const states = new Map<string, string>();
  return rows.flatMap((row) => {
    const changes = new Map(row.State === '' ? [] : row.State.split(', ').map(named));
    const names = new Set([...states.keys(), ...changes.keys()]);
    return [...names].map((name) => {
      const from = states.get(name) ?? 'none';
      const to = changes.get(name) ?? from;
      states.set(name, to);
      const own = (cell: string) =>
        cell
          .split(', ')
          .map(named)
          .filter(([of]) => of === name)
          .map(([, text]) => text)
          .join(', ');
      return {
        from,
        to,
        act: row.Act,
        attempts: own(row.Attempts),
        events: own(row.Events),
        mails: own(row.Mails),
      };
    });
  });
}

/** An entry with the name that it begins with, or with none. */
function named(entry: string): readonly [string, string] {
  const found = /^(?:(\d+ × )?)(\w+(?: \d+)?): (.*)$/.exec(entry);
  return found === null ? ['', entry] : [found[2] ?? '', `${found[1] ?? ''}${found[3] ?? ''}`];
}
